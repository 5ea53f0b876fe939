/* Stands for the types of jsdom, which vitest's types name. @types/jsdom would add the types of a DOM to this project. */
export type JSDOM = never
