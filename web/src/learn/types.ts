// The server's data about lessons: docs/protocol.md.

import type { Snapshot, Text } from '../lib/types';

export interface Step {
  clauses: string[]; // what it teaches
  show: string; // a move that reaches the goal
  text: Text;
  task: Text;
  done: Text;
}

export interface Lesson {
  name: string;
  title: Text;
  steps: Step[];
}

export interface Course {
  game: string;
  lessons: Lesson[];
}

export interface CourseSummary {
  game: string;
  lessons: { name: string; steps: number }[];
}

export interface Attempt {
  verdict: 'done' | 'wrong' | 'refused';
  says: Text | null; // null: nothing in particular
  clause: string | null; // the rule in the way
  table: Snapshot | null; // after the turn; null if it was refused
}
