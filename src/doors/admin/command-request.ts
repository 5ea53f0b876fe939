import type { Command } from '../../control/scenario/file.ts'
import { routes } from './routes/routes.ts'

/** The HTTP request that sends a command. Its path is below `/__admin`; a command without fields has no body. */
export function commandRequest(command: Command) {
  const { do: name, ...fields } = command
  const route = routes.find(({ command }) => command?.name === name)
  if (route?.command === undefined) throw new Error(`No route sends ${name}`)
  const left = new Map<string, unknown>(Object.entries(fields))
  const path = route.path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = left.get(field)
    left.delete(field)
    return encodeURIComponent(`${value}`)
  })
  const { wholeBody } = route.command
  const body = wholeBody === undefined ? Object.fromEntries(left) : left.get(wholeBody)
  return { method: route.method, path, body: left.size === 0 ? undefined : body }
}
