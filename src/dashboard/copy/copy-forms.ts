import { toCurl } from './to-curl.ts'
import { toFetch } from './to-fetch.ts'
import { toPython } from './to-python.ts'

/** The forms in which a call can be taken away. */
export const copyForms = [
  { name: 'curl', write: toCurl },
  { name: 'fetch', write: toFetch },
  { name: 'Python', write: toPython },
] as const
