import { sandboxes } from './traffic.ts'

/** What the server says of one sandbox. */
export interface ToldOfSandbox {
  readonly sandbox: string
  readonly pets: number
  /** Calls that counted against the day's quota, by key. */
  readonly used: Readonly<Record<string, number>>
  /** Requests in the journal, and those that it dropped. */
  readonly requests: number
}

export interface Told {
  /** The samples of Prometheus, by name and labels. */
  readonly metrics: ReadonlyMap<string, number>
  readonly sandboxes: readonly ToldOfSandbox[]
}

export async function ask(origin: string, path: string, method = 'GET', body?: unknown): Promise<string> {
  const response = await fetch(`${origin}/__admin/${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  return text
}

/** Reads all counts of a server. */
export async function readTold(origin: string): Promise<Told> {
  const metrics = readMetrics(await ask(origin, 'metrics'))
  return { metrics, sandboxes: await Promise.all(sandboxes.map(sandbox => readSandbox(origin, sandbox))) }
}

async function readSandbox(origin: string, sandbox: string): Promise<ToldOfSandbox> {
  const of = `?sandbox=${sandbox}`
  const keys: { keys: { key: string; used: { day: number } }[] } = JSON.parse(await ask(origin, `keys${of}`))
  const pets: { total: number } = JSON.parse(await ask(origin, `pets${of}&limit=1`))
  const requests: { count: number; evicted: number } = JSON.parse(
    await ask(origin, `requests/count${of}`, 'POST', {}),
  )
  const used = Object.fromEntries(keys.keys.map(({ key, used }) => [key, used.day]))
  return { sandbox, pets: pets.total, used, requests: requests.count + requests.evicted }
}

function readMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** The sum of all samples of a metric. */
export function sumOf(metrics: ReadonlyMap<string, number>, name: string): number {
  let sum = 0
  for (const [sample, value] of metrics) if (sample === name || sample.startsWith(`${name}{`)) sum += value
  return sum
}
