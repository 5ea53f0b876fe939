import * as z from 'zod'
import { instantPattern } from '../time/instant.ts'

/* The leaves of answers. They describe what is sent, and check nothing. */

export function instantText(description: string) {
  return z.string().meta({ description, pattern: instantPattern, examples: ['2026-03-02T09:01:00Z'] })
}

/** An int64: beyond 2^53 its digits, as text. */
export function int64View(description: string) {
  return z
    .union([z.int(), z.string()])
    .meta({ description, format: 'int64', examples: [5, '9007199254740993'] })
}

export function countView(description: string) {
  return z.int().min(0).meta({ description })
}
