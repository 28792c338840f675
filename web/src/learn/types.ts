// The server's data about lessons: docs/protocol.md.

export type { Attempt, Course, CourseInfo as CourseSummary, Lesson, Step } from '../lib/types';
