import type { JsonValue } from '../../src/base/json/value.ts'
import { checkDocument } from '../../src/control/fields/check-document.ts'
import { documentOf } from '../../src/control/files/document.ts'
import type { Command } from '../../src/control/scenario/file.ts'
import { command } from '../../src/control/scenario/settings/scenario-file.ts'

/** Reads a command by its declaration, or returns everything that is wrong with it. */
export function readCommand(value: JsonValue) {
  const reading = checkDocument<Command>(command, documentOf(value))
  if (reading.ok) return { ok: true as const, command: reading.value }
  return { ok: false as const, problems: reading.complaints.map(({ message }) => message) }
}
