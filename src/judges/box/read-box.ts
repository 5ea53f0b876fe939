import { isObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { check } from '../../control/fields/check.ts'
import type { MapShape } from '../../control/fields/field.ts'
import type { Problem } from '../../control/fields/problem.ts'
import { documentOf } from '../../control/files/document.ts'
import { about } from '../../control/files/show.ts'
import { checkProfile } from '../../control/profile/file.ts'
import type { Command } from '../../control/scenario/file.ts'
import { scenario as scenarioShape } from '../../control/scenario/settings/scenario.ts'
import { command as commandShape } from '../../control/scenario/settings/scenario-file.ts'
import { completeSnapshot } from '../../control/scenario/settings/snapshot.ts'
import { checkSnapshot } from '../../control/snapshot/check.ts'
import { restoreSandboxes, restoreScenario } from '../../control/snapshot/restore.ts'
import type { SandboxesSnapshot, Snapshot } from '../../control/snapshot/saved.ts'
import type { AreasSource } from '../../emulator/gates/open-areas.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { Call, Connection } from '../../service/call/call.ts'
import { parseFields } from '../exchanges/texts.ts'
import * as box from './box.ts'

/** A box that cannot be used. The message says where and why. */
export class BoxError extends Error {}

/** One input of a run. */
export type Step =
  | {
      readonly kind: 'call'
      readonly number: number
      readonly call: Call
      readonly effect: box.Effect | undefined
    }
  /** A call to an open area takes effect. */
  | { readonly kind: 'effect'; readonly number: number; readonly effect: box.Effect }
  | {
      readonly kind: 'change'
      readonly command: Command
      readonly sandbox: string | undefined
      readonly at: number
      readonly scenario: Scenario | undefined
    }
  | { readonly kind: 'adopt'; readonly scenario: Scenario; readonly at: number }
  | { readonly kind: 'contract'; readonly source: AreasSource | undefined }
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'note'; readonly text: string; readonly at: number }

export interface Box {
  readonly header: box.Header
  /** The arguments of `Sandboxes.replaceAll`. Worlds change while they are used, so each reader gets new ones. */
  readonly start: () => ReturnType<typeof restoreSandboxes>
  readonly steps: readonly (Step & { readonly steady: readonly number[] })[]
  /** The number of the call after the last one. */
  readonly end: number
  /** False if the run ended before the box was finished. */
  readonly isWhole: boolean
}

/** Characters of all lines: 256 MB if all are ASCII. */
const mostText = 256 * 1_048_576

/** Reads the lines of a box, as untrusted. Rejects with a BoxError. */
export async function readBox(pieces: AsyncIterable<string> | Iterable<string>): Promise<Box> {
  const reader = createReader()
  let rest: string[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > mostText) throw new BoxError('the box has over 256 MB of text')
    const end = piece.lastIndexOf('\n')
    if (end !== -1) {
      for (const line of (rest.join('') + piece.slice(0, end)).split('\n')) reader.read(line)
      rest = []
    }
    rest.push(piece.slice(end + 1))
  }
  if (rest.join('') !== '') reader.refuse('this line is cut')
  return reader.box()
}

function createReader() {
  let number = 0
  let header: box.Header | undefined
  let start: Box['start'] | undefined
  let awaitsStart = true
  let end = 1
  let isWhole = false
  const steps: Box['steps'][number][] = []
  const headers = new Map<number, readonly string[]>()
  const connections = new Map<number, { -readonly [Name in keyof Connection]: Connection[Name] }>()
  const scenarios = new Map<number, Scenario>()
  const late = new Set<number>()

  const refuse = (message: string): never => {
    throw new BoxError(`line ${number}: ${message}`)
  }
  const refuseAll = (problems: readonly Problem[]) => {
    const [first] = problems
    if (first !== undefined) refuse(about(first.path, first.message))
  }
  const checked = <T>(shape: MapShape, value: unknown): T => {
    refuseAll(check(shape, value))
    return value as T
  }
  const at = <T>(table: ReadonlyMap<number, T>, place: number, what: string): T =>
    table.get(place) ?? refuse(`there are no ${what} with the number ${place} before`)

  const useOrigin = (scenario: Scenario, origin: box.Origin | undefined): Scenario => {
    if (origin === undefined) return scenario
    const { given, profile: file } = origin
    refuseAll(check(scenarioShape, given))
    const reading = file === undefined ? undefined : checkProfile(documentOf(file as JsonValue))
    if (reading?.ok === false) return refuse(reading.complaints[0]?.message ?? 'this is no profile')
    return Object.assign(scenario, { origin: { given, profile: reading?.value } })
  }
  const readSnapshot = <T extends Snapshot>(given: T): T => {
    const whole = completeSnapshot(given)
    refuseAll(checkSnapshot(whole))
    return whole
  }
  const readHeader = (value: object) => {
    if ('petbox' in value && typeof value.petbox === 'number' && value.petbox > box.boxVersion)
      refuse(`a newer pet-mock wrote this box (format ${value.petbox}): update pet-mock`)
    const read = checked<box.Header>(box.headerShape, value)
    header ??= read
    end = read.from
    awaitsStart = true
  }
  const readStart = (value: object) => {
    const { start: given, origins } = checked<box.Start>(box.startShape, value)
    if (!('sandboxes' in given)) refuse('start: expected all sandboxes')
    const snapshot: SandboxesSnapshot = readSnapshot(given)
    headers.clear()
    connections.clear()
    scenarios.clear()
    const restored = snapshot.scenarios.map((saved, place) =>
      useOrigin(restoreScenario(saved, []), origins[place]),
    )
    for (const [place, scenario] of restored.entries()) scenarios.set(place, scenario)
    start ??= () => restoreSandboxes(snapshot, [], restored)
    awaitsStart = false
  }
  const push = (step: Step, { steady = [] }: { readonly steady?: readonly number[] } = {}) =>
    void steps.push({ ...step, steady })

  const readCall = (entry: box.BoxCall) => {
    const { call: own, at: receivedAt, order, method, target, client = '127.0.0.1' } = entry
    if (own !== end) refuse(`expected call ${end}, found call ${own}`)
    end += 1
    if (entry.late) late.add(own)
    const call: Call = {
      method,
      target,
      headers: at(headers, entry.headers, 'headers'),
      body: bodyOf(entry),
      scheme: entry.https ? 'https' : 'http',
      client,
      receivedAt,
      order,
      ...(entry.connection !== undefined && { connection: at(connections, entry.connection, 'connections') }),
    }
    push({ kind: 'call', number: own, call, effect: entry.late ? undefined : entry }, entry)
  }
  const readConnection = ({ connection, opened = 0, replied, closed, lane }: box.BoxConnection) => {
    const one = connections.get(connection) ?? { name: `${connection}`, opened }
    connections.set(connection, one)
    if (replied !== undefined) one.replied = replied
    if (closed !== undefined) one.closedAt = closed
    if (lane) one.isLane = true
  }
  const readEntry = (kind: string, value: object) => {
    const shape = Object.hasOwn(box.entryShapes, kind) ? box.entryShapes[kind] : undefined
    if (shape === undefined) return refuse(`this is no line of a box: it begins with ${JSON.stringify(kind)}`)
    const entry = checked<box.Entry>(shape, value)
    if (kind === 'headers' && 'list' in entry) headers.set(entry.headers, entry.list)
    else if ('call' in entry) readCall(entry)
    else if ('effect' in entry) {
      if (!late.delete(entry.effect)) refuse(`no call ${entry.effect} is under way`)
      push({ kind: 'effect', number: entry.effect, effect: entry }, entry)
    } else if ('change' in entry) {
      refuseAll(check(commandShape, entry.change))
      const { change: command, sandbox, at: now, uses } = entry
      const scenario = uses === undefined ? undefined : at(scenarios, uses, 'scenarios')
      if (command.do === 'useScenario' && scenario === undefined) refuse('uses is missing')
      push({ kind: 'change', command, sandbox, at: now, scenario }, entry)
    } else if ('world' in entry) {
      const world = readSnapshot(entry.world)
      // Equal scenarios stay apart: a sandbox follows the very one that new sandboxes start from.
      scenarios.set(entry.scenario, useOrigin(restoreScenario(world.scenario, []), entry.origin))
    } else if ('adopts' in entry)
      push({ kind: 'adopt', scenario: at(scenarios, entry.adopts, 'scenarios'), at: entry.at })
    else if ('connection' in entry) readConnection(entry)
    else if ('time' in entry) push({ kind: 'time', at: entry.time }, entry)
    else if ('note' in entry) push({ kind: 'note', text: entry.note, at: entry.at })
    else if ('end' in entry) isWhole = true
    else push({ kind: 'contract', source: 'contract' in entry ? entry.contract : undefined })
  }
  return {
    refuse,
    read: (line: string): void => {
      number += 1
      // Exact integers matter in commands and scenarios alone.
      const read = /^\{"(?:change|scenario)"/.test(line) ? jsonIn(line) : parseFields(line)
      const value = isObject(read) ? read : refuse('this is no JSON object')
      const [kind = ''] = Object.keys(value)
      if (isWhole) refuse('nothing follows the end')
      if (kind === 'petbox') readHeader(value)
      else if (header === undefined) refuse('this is no box of pet-mock')
      else if (awaitsStart) readStart(value)
      else readEntry(kind, value)
    },
    box: (): Box => {
      if (header === undefined || start === undefined)
        return refuse('this is no box of pet-mock: it has no start')
      return { header, start, steps, end, isWhole }
    },
  }
}

function bodyOf({ body, base64, tooLarge }: box.BoxCall): Call['body'] {
  if (tooLarge) return 'too-large'
  if (body !== undefined) return new TextEncoder().encode(body)
  if (base64 === undefined) return undefined
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
}
