import type { Command } from '../../control/change/command.ts'
import type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
import { routes } from './routes/routes.ts'
import type { Method } from './routing/route.ts'

/** How a command is sent to the plane. */
export interface CommandRequest {
  readonly method: Method
  /** Below `/__admin`. */
  readonly path: string
  /** Not there: the command has no further fields. */
  readonly body: unknown
}

/** The request that does a command, as the table of routes has it. */
export function commandRequest(command: Command<ScenarioFile, RuleFields>): CommandRequest {
  const { do: name, ...fields } = command
  const route = routes.find(({ does }) => does?.name === name)
  if (route?.does === undefined) throw new Error(`No route does ${name}`)
  const left = new Map<string, unknown>(Object.entries(fields))
  const path = route.path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = left.get(field)
    left.delete(field)
    return encodeURIComponent(`${value}`)
  })
  const { wholeBody } = route.does
  const body = wholeBody === undefined ? Object.fromEntries(left) : left.get(wholeBody)
  return { method: route.method, path, body: left.size === 0 ? undefined : body }
}
