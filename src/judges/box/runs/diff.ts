import { groupDigits } from '../../../base/text/quantities.ts'
import { showFlow } from '../../../control/files/show.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { faultName } from '../../../service/call/fault.ts'
import { windowLengths } from '../../../service/limits/limiter.ts'
import { replyByName } from '../../exchanges/texts.ts'
import type { BoxPlayer } from '../play-box.ts'
import type { Box, Step } from '../read-box.ts'
import { type CallPair, pairCalls, type RunCall, requestOf } from './pair-calls.ts'

export interface Run {
  readonly calls: readonly RunCall[]
  /** What changed its worlds besides, each with the number of the next call. */
  readonly changes: readonly { readonly before: number; readonly text: string }[]
}

/** Plays a box to its end. Calls that no journal got are left out. */
export async function readRun({ box, player }: { readonly box: Box; readonly player: BoxPlayer }) {
  const { step } = player
  const calls: RunCall[] = []
  for (let call = await step(); call !== undefined; call = await step())
    if (call.exchange !== undefined) calls.push({ number: call.number, exchange: call.exchange })
  let before = box.steps.find(one => one.kind === 'call')?.number ?? 1
  const changes = box.steps.flatMap(one => {
    if (one.kind === 'call') before = one.number + 1
    return one.kind === 'change' ? [{ before, text: describeChange(one) }] : []
  })
  return { calls, changes } satisfies Run
}

/** Such as `banKey in worker-3 {key: demo-free}`. */
export function describeChange({ command, sandbox, scenario }: Extract<Step, { kind: 'change' }>): string {
  const { do: name, ...fields } = scenario ? { do: command.do, scenario: scenario.name } : command
  const where = sandbox === undefined ? '' : ` in ${sandbox}`
  return `${name}${where}${Object.keys(fields).length === 0 ? '' : ` ${showFlow(fields)}`}`
}

/**
 * What differs between two runs, by meaning and in the order of the red run, each with a sentence: a call that only one of them
 * makes, and a response that is not the same. Instants, waits and counts of calls left, which differ in any two runs, are no
 * difference by themselves.
 */
export function diffRuns(green: Run, red: Run) {
  const pairs = pairCalls(green.calls, red.calls)
  return pairs.flatMap((pair, place) => {
    const what = differenceOf(pair, false)
    if (what === undefined) return []
    const why = reasonOf(pair, [green, red], pairs.slice(0, place))
    return [{ ...pair, sentence: `${nameOf(pair)} ${what}${why === undefined ? '' : `: ${why}`}.` }]
  })
}

/** Such as `Call 12 (GET /v1/pets)`. */
export function nameOf({ green, red }: CallPair): string {
  const shown = ({ number, exchange: { call } }: RunCall) => `${number} (${call.method} ${call.target})`
  if (red === undefined) return green === undefined ? '' : `Call ${shown(green)} of the green run`
  const other =
    green === undefined || green.number === red.number ? '' : `, call ${green.number} of the green run,`
  return `Call ${shown(red)}${other}`
}

/** How a call differs in two runs, as the end of a sentence. `isExact`: instants, waits and counts count too. */
export function differenceOf({ green, red }: CallPair, isExact: boolean): string | undefined {
  if (red === undefined) return 'is missing in the red run'
  if (green === undefined) return `is only in the red run, and got ${outcomeOf(red.exchange)}`
  const [one, other] = [green.exchange, red.exchange]
  if (requestOf(one) !== requestOf(other))
    return `asks for something else than call ${green.number} of the green run`
  const outcomes = [one, other].map(outcomeOf)
  if (outcomes[0] !== outcomes[1]) return `got ${outcomes[1]} instead of ${outcomes[0]}`
  const header = differingHeader(one, other, isExact)
  if (header !== undefined) return header
  if (isExact && one.reply.delayMs !== other.reply.delayMs)
    return `was delayed by ${other.reply.delayMs ?? 0} ms instead of ${one.reply.delayMs ?? 0} ms`
  // A problem says how long to wait.
  const isLoose = one.reply.status >= 400 && !isExact
  return isLoose || one.reply.body === other.reply.body ? undefined : 'got another body'
}

/** Such as `429 rate_limit_exceeded` or `200 with the fault reset`. */
export function outcomeOf({ reply: { status, fault }, trace: { code } }: Exchange): string {
  const broken = fault === undefined ? '' : ` with the fault ${faultName(fault)}`
  return `${status}${code === undefined ? '' : ` ${code}`}${broken}`
}

function differingHeader(one: Exchange, other: Exchange, isExact: boolean): string | undefined {
  const [was, is] = [replyByName(one.reply), replyByName(other.reply)]
  const shown = isExact ? (_: string, value: string | undefined) => value : formOf
  const name = Object.keys({ ...was, ...is }).find(
    header => header !== 'content-length' && shown(header, was[header]) !== shown(header, is[header]),
  )
  return name && `got ${name}: ${is[name] ?? 'nothing'} instead of ${was[name] ?? 'nothing'}`
}

/** Limits and texts as they are; of instants, waits and counts only the form. */
function formOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined || name === 'x-ratelimit-limit') return value
  if (/^-?\d+$/.test(value)) return 'a number'
  if (!Number.isNaN(Date.parse(value))) return 'a date'
  return value.replace(/\d+/g, '0')
}

/** Why two responses to the same call differ, as far as the runs show it. `before`: the pairs before it. */
function reasonOf(pair: CallPair, runs: readonly [Run, Run], before: readonly CallPair[]) {
  const { green, red } = pair
  if (green === undefined || red === undefined) return undefined
  const changes = runs.map((run, at) => {
    const { number } = at === 0 ? green : red
    return run.changes.filter(({ before }) => before <= number).map(({ text }) => text)
  })
  for (const [at, name] of ['green', 'red'].entries()) {
    const own = changes[at]?.findLast(text => !changes[1 - at]?.includes(text))
    if (own !== undefined) return `the ${name} run had the change ${own} before it`
  }
  const [was, is] = [green.exchange.trace, red.exchange.trace]
  if (`${was.rules}` !== `${is.rules}`)
    return `the rules that acted are ${is.rules ?? 'none'} instead of ${was.rules ?? 'none'}`
  const shift = shiftOf(pair, before)
  if ((was.gate === 'ban') !== (is.gate === 'ban'))
    return `${shift === undefined ? '' : `${shift}, and `}the key was ${is.gate === 'ban' ? '' : 'not '}banned`
  if (was.limit === undefined || is.limit === undefined || was.limit.accepted === is.limit.accepted)
    return shift
  const [isFull, { reported: name }] = was.limit.accepted ? [true, is.limit] : [false, was.limit]
  const [one, other] = [was.limit[name], is.limit[name]]
  if (one.limit !== other.limit)
    return `its key may make ${groupDigits(other.limit)} calls a ${name} instead of ${groupDigits(one.limit)}`
  const [endOfOne = 0, endOfOther = 0] = [one, other].map(
    ({ endsAt = 0 }, at) => endsAt - (runs[at]?.calls[0]?.exchange.at ?? 0),
  )
  // Another window: only the time decides.
  if (shift !== undefined && Math.abs(endOfOne - endOfOther) >= windowLengths[name] / 2)
    return `${shift}, so the ${name} was ${isFull ? 'still full' : 'over'}`
  const alone = before.flatMap(({ green, red }) =>
    (isFull ? green : red) === undefined ? (red ?? green ?? []) : [],
  )
  const numbers = alone.slice(0, 5).map(({ number }) => number)
  const cause = numbers.length === 0 ? '' : `, also by call ${numbers.join(', ')}, which only one run has`
  return `the ${name} was ${isFull ? 'full' : 'not full'}${cause}`
}

/** Such as `it came 0.4 s earlier`, in the time since the first call that both runs made. */
function shiftOf({ green, red }: CallPair, before: readonly CallPair[]): string | undefined {
  const first = before.find(pair => pair.green !== undefined && pair.red !== undefined)
  if (green === undefined || red === undefined || first?.green === undefined || first.red === undefined)
    return undefined
  const since = (call: RunCall, start: RunCall) => call.exchange.at - start.exchange.at
  const shift = since(red, first.red) - since(green, first.green)
  if (shift === 0) return undefined
  return `it came ${Math.abs(shift) / 1_000} s ${shift < 0 ? 'earlier' : 'later'}`
}
