import type { JsonValue } from '../../../base/json/value.ts'
import type { Change } from '../../../control/change/change.ts'
import { check } from '../../../control/fields/check.ts'
import { inOrder } from '../../../control/fields/in-order.ts'
import { about } from '../../../control/files/show.ts'
import type { Fixtures } from '../../../control/fixtures/fixtures.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { BrowsedBox } from '../../../judges/box/runs/browse-box.ts'
import type { Call } from '../../../service/call/call.ts'
import { readJsonBody } from '../../../service/call/json-body.ts'
import { readQuery } from '../../../service/call/target.ts'
import type { BodyReader, Lent } from './read-body.ts'
import { asSentence, refusal, refusalOf } from './replies.ts'
import type { RequestPart } from './request-fields.ts'

/** Where the state was saved, or why it cannot be. */
export type SavedState =
  | { readonly ok: true; readonly file: string; readonly bytes: number }
  | { readonly ok: false; readonly problem: string }

/** Resolves when the disk has everything that was answered before, or cannot be written. */
export type SaveState = () => Promise<SavedState>

export interface Controls {
  readonly emulator: Emulator
  readonly change: Change
  /** The fixtures of scenarios that callers set. */
  readonly fixtures: Fixtures
  /** Undefined without --state. */
  readonly saveState?: SaveState | undefined
  /** Packs the run so far, of all sandboxes (`*`) or of one. Undefined: the server records none. */
  readonly copyBox?: ((sandbox: string) => Promise<readonly Uint8Array<ArrayBuffer>[]>) | undefined
  /** Undefined: the worlds come from no box. */
  readonly opened?: BrowsedBox | undefined
  readonly readBody: BodyReader
  /** Bytes of the largest snapshot that it reads. */
  readonly snapshotLimit: number
  /** Writes the contract as JSON for a base URL. It is loaded when somebody asks. */
  readonly contract: () => Promise<(url: string) => Promise<string>>
  readonly version: string
  /** Names this run of the server: another id means a restart. */
  readonly start: string
}

export interface RouteContext {
  readonly controls: Controls
  readonly call: Call
  readonly params: Readonly<Record<string, string>>
  /** As sent, without `?`. */
  readonly query: string
  /** Scheme and authority of this server, as the caller reaches it. */
  readonly origin: string
  /** The door's time: milliseconds since the epoch. */
  readonly now: number
  readonly waiting: Lent
}

interface SentParts extends Pick<RouteContext, 'params' | 'query'> {
  readonly controls?: Pick<Controls, 'fixtures'>
  readonly body: JsonValue
}

/** Reads a call by the declared parts of its route, or refuses it with every mistake. Without a part `body`, it reads none. */
export function readRequest<P, Q, B>(
  { controls, params, query, body }: SentParts,
  parts: { params: RequestPart<P>; query: RequestPart<Q>; body: RequestPart<B> | undefined },
) {
  const queried = queryValue(query)
  const fixtures = controls?.fixtures
  const inQuery = mistakesOf(parts.query, queried, fixtures)
  const inCommand = [...mistakesOf(parts.params, params, fixtures), ...mistakesOf(parts.body, body, fixtures)]
  if (inQuery.length + inCommand.length > 0) {
    const isCommandWrong = parts.body !== undefined && inCommand.length > 0
    const code = isCommandWrong ? 'invalid_command' : 'invalid_parameter'
    return { refusal: refusal(code, asSentence([...inQuery, ...inCommand].join('; '))) }
  }
  return {
    params: parts.params.read(params),
    query: parts.query.read(queried),
    body: parts.body?.read(body),
  }
}

/** Reads the JSON of a call's body, or refuses it. */
export async function readJson({ call, controls, waiting }: RouteContext, isSnapshot: boolean) {
  const reading = await controls.readBody(isSnapshot, waiting)
  if ('refusal' in reading) return reading
  // A missing or empty body is fine: `curl -X POST …/reset` sends none.
  if (reading.bytes.length === 0) return { value: {} }
  const json = readJsonBody({ ...call, body: reading.bytes })
  return 'refusal' in json ? { refusal: refusalOf(json.refusal) } : json
}

/** A longer list of mistakes helps nobody. */
const mostMistakes = 100

/** In the order of the value. */
function mistakesOf(part: RequestPart<unknown> | undefined, value: unknown, fixtures: Fixtures | undefined) {
  if (part === undefined) return []
  const found = check(part.shape, value)
  if (found.length === 0) return []
  const problems = (fixtures && part.addProblems?.(value, found, fixtures)) ?? found
  const first = inOrder(value, problems).slice(0, mostMistakes)
  return first.map(({ path, message }) => about(path, message))
}

/** A repeated parameter becomes a list, and one that cannot be decoded becomes null. No parameter accepts either. */
function queryValue(query: string): JsonValue {
  const values = new Map<string, JsonValue[]>()
  for (const { name, value } of readQuery(query))
    values.set(name, [...(values.get(name) ?? []), value ?? null])
  return Object.fromEntries(
    Array.from(values, ([name, all]) => [name, all.length === 1 ? (all[0] ?? null) : all]),
  )
}
