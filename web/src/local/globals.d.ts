interface Kit {
  folder: string; // named after what is in it
  files: [string, number][]; // name and size in bytes
}

declare const __KIT__: Kit | null; // null: the page was built without it
