import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { BoxCall, BoxConnection, Header, Start } from './box.ts'

/** A line of a box, of any kind: its first field says which. */
type Line = Partial<Omit<Header, 'time'> & Start & BoxCall & BoxConnection> & {
  readonly effect?: number
  readonly time?: number
  readonly change?: { readonly do: string; readonly name?: string }
  readonly note?: string
}

interface Written {
  readonly text: string
  readonly value: Line
}

/**
 * The lines of a box with one sandbox alone: its calls and changes, and what all sandboxes share. Its calls get new numbers. It
 * stays where others took its place.
 */
export function boxOfSandbox(lines: string, sandbox: string): string {
  const all = lines.trimEnd().split('\n')
  const written = all.map((text): Written => ({ text, value: JSON.parse(text) }))
  const effects = new Map(written.map(({ value }) => [value.effect, value.sandbox]))
  const isOwn = ({ call, late, effect, change, note, sandbox: of }: Line): boolean => {
    if (change?.do === 'createSandbox') return change.name === sandbox
    if (change !== undefined) return [undefined, '*', defaultSandbox, sandbox].includes(of)
    if (call !== undefined) return (late ? effects.get(call) : of) === nameOf(sandbox)
    return note === undefined && (effect === undefined || of === nameOf(sandbox))
  }
  const isShown = (name: string) => name === defaultSandbox || name === sandbox
  const numbers = new Map<number, number>()
  let timesBefore = createTimes(Number.NEGATIVE_INFINITY)
  const write = ({ text, value }: Written): readonly string[] => {
    const { petbox, start, call, effect, time, at = time } = value
    if (petbox !== undefined) {
      const { ahead = {}, ...header } = value
      timesBefore = createTimes((JSON.parse(text) as Header).time[0] ?? 0)
      const own = Object.entries(ahead).filter(([name]) => isShown(name))
      const from = numbers.size + 1
      return [JSON.stringify({ ...header, from, ...(own.length > 0 && { ahead: Object.fromEntries(own) }) })]
    }
    if (start !== undefined) {
      const sandboxes = start.sandboxes.filter(({ name }) => isShown(name))
      return [JSON.stringify({ start: { ...start, sandboxes }, origins: value.origins })]
    }
    const isKept = isOwn(value)
    const times = call === undefined && time === undefined ? [] : timesBefore(at ?? 0, value.steady, isKept)
    if (!isKept) return times
    if (effect !== undefined) return [text.replace(/\d+/, `${numbers.get(effect)}`)]
    if (call === undefined) return [...times, text]
    numbers.set(call, numbers.size + 1)
    return [...times, text.replace(/\d+/, `${numbers.size}`)]
  }
  const kept = partsOf(written).flatMap(part => withoutUnused(part, isOwn))
  const own = kept.flatMap(write)
  return own.map(line => `${line}\n`).join('')
}

/** Makes the lines for times that are left out, where they matter: the system's clock went back, or was back. `latest`: the time before. */
function createTimes(latest: number) {
  let told = latest
  const line = (time: number, steady?: readonly number[]) => JSON.stringify({ time, steady })
  return (at: number, steady: readonly number[] | undefined, isKept: boolean): readonly string[] => {
    const isBack = at < latest
    const before = isBack && told < latest ? [line(latest)] : []
    const isTold = !isKept && (isBack || steady !== undefined)
    latest = at
    if (isKept || isTold) told = at
    return isTold ? [...before, line(at, steady)] : before
  }
}

/** As lines have it: the default sandbox is not named. */
function nameOf(sandbox: string): string | undefined {
  return sandbox === defaultSandbox ? undefined : sandbox
}

/** Each part has its own places of headers and connections. */
function partsOf(written: readonly Written[]): readonly (readonly Written[])[] {
  const parts: Written[][] = []
  for (const line of written) {
    if (line.value.petbox !== undefined) parts.push([])
    parts.at(-1)?.push(line)
  }
  return parts
}

function withoutUnused(part: readonly Written[], isOwn: (line: Line) => boolean): readonly Written[] {
  const calls = part.filter(({ value }) => value.call !== undefined && isOwn(value))
  const headers = new Set(calls.map(({ value }) => value.headers))
  const connections = new Set(calls.map(({ value }) => value.connection))
  return part.filter(
    ({ value: { call, headers: list, connection } }) =>
      call !== undefined ||
      ((list === undefined || headers.has(list)) &&
        (connection === undefined || connections.has(connection))),
  )
}
