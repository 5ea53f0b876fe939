import type { Command } from '../../control/scenario/file.ts'
import { routes } from './routes/routes.ts'

/** The fields of a call that sends a command: the id of its operation is the name of the command. */
export function fieldsToSend({ do: name, ...fields }: Command): unknown {
  const { wholeBody } = routes.find(({ id }) => id === name) ?? {}
  if (wholeBody !== undefined) return new Map<string, unknown>(Object.entries(fields)).get(wholeBody)
  return Object.keys(fields).length === 0 ? undefined : fields
}
