import { createChange } from '../../control/change/change.ts'
import { createEventRunner } from '../../control/change/run-event.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { createEmulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import type { AreasSource, OpenAreas } from '../../emulator/gates/open-areas.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { Reply } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import { isUnderApi } from '../../service/operations/routes.ts'
import type { Effect } from './box.ts'
import { type Box, BoxError, type Step } from './read-box.ts'
import { createDigest } from './record-box.ts'

export interface PlayOptions
  extends Pick<EmulatorOptions, 'contract' | 'journal' | 'secrets' | 'onNotice' | 'onError' | 'steady'> {
  /** Loads the operations of a contract. Without it, a box with a contract is refused. */
  readonly loadAreas?: (source: AreasSource) => Promise<OpenAreas>
}

/** A call of a box, made again. */
export type PlayedCall = NonNullable<Awaited<ReturnType<BoxPlayer['step']>>>

export type BoxPlayer = Awaited<ReturnType<typeof playBox>>

/** An emulator at the start of a box, which makes the run again. Rejects with a BoxError if the contract cannot be loaded. */
export async function playBox(box: Box, options: PlayOptions = {}) {
  const { header, steps } = box
  const { door, time, ahead = {}, contract, ...served } = header
  const { contract: servedContract, ...others } = options
  const [scenario, worlds, dropped] = box.start()
  const steady: number[] = []
  const [latest = 0, wentBackTo] = time
  const emulator = createEmulator({
    ...served,
    ...others,
    // Where there was no server, nobody served the contract.
    ...(door === 'server' && servedContract && { contract: servedContract }),
    scenario,
    startedAt: latest,
    steady: () => steady.shift() ?? options.steady?.() ?? 0,
    runEvent: createEventRunner(door),
  })
  const { sandboxes } = emulator
  sandboxes.replaceAll(scenario, worlds, dropped)
  sandboxes.time.state = [latest, wentBackTo]
  for (const world of sandboxes) world.aheadMs = ahead[world.sandbox] ?? 0
  let settled: Scenario = scenario
  const change = createChange(sandboxes, shippedFixtures, undefined, () => settled)
  const hold = createHold()
  const openAreas = async (source: AreasSource | undefined) => {
    if (source === undefined) return
    if (options.loadAreas === undefined)
      throw new BoxError('this box serves a contract, which needs a server')
    emulator.openAreas(hold.holding(await options.loadAreas(source)))
  }
  await openAreas(contract)

  let place = 0
  let now = latest
  let seen: Exchange | undefined
  emulator.observe(exchange => {
    seen = exchange
  })
  const digest = createDigest()
  const underWay = new Map<number, { readonly reply: Reply | Promise<Reply>; readonly isHeld: boolean }>()
  const played = (number: number, reply: Reply, expected: Effect) => {
    /** Undefined: nothing to compare with. */
    const isSame = expected.digest === undefined ? undefined : digest(reply) === expected.digest
    /** Undefined: the journal did not get it. */
    const exchange = seen
    seen = undefined
    return { number, reply, exchange, expected, isSame }
  }
  const carryOut = async (step: Step) => {
    switch (step.kind) {
      case 'call': {
        const { number, call, effect } = step
        now = call.receivedAt
        const reply = emulator.answer(call)
        if (effect !== undefined) return played(number, await reply, effect)
        underWay.set(number, { reply, isHeld: isUnderApi(readTarget(call.target).path) })
        return undefined
      }
      case 'effect': {
        const late = underWay.get(step.number)
        if (late === undefined) throw new BoxError(`call ${step.number} is not under way`)
        underWay.delete(step.number)
        // The contract itself answers late, too, and nobody holds it.
        if (late.isHeld) hold.letOne()
        return played(step.number, await late.reply, step.effect)
      }
      case 'change': {
        const { command, sandbox, at } = step
        now = at
        settled = step.scenario ?? settled
        change(sandbox, command, at)
        return undefined
      }
      case 'adopt':
        now = step.at
        sandboxes.adopt(step.scenario, step.at)
        return undefined
      case 'contract':
        await openAreas(step.source)
        return undefined
      case 'time':
        now = step.at
        sandboxes.note(step.at)
        return undefined
      case 'note':
        return undefined
    }
  }
  const next = async () => {
    const step = steps[place]
    if (step === undefined) return undefined
    place += 1
    steady.splice(0, steady.length, ...step.steady)
    return carryOut(step)
  }
  return {
    emulator,
    /** Makes a change in the worlds, as the admin plane does. */
    change: createChange(sandboxes, shippedFixtures, door),
    /** Plays up to the end of the next call. Undefined: the run is over. */
    step: async () => {
      while (place < steps.length) {
        const call = await next()
        if (call !== undefined) return call
      }
      return undefined
    },
    /** Plays all that is before a call: the worlds are then those before it. */
    to: async (call: number) => {
      const { from } = header
      if (call < from || call > box.end)
        throw new BoxError(`there is no call ${call}: this box has the calls ${from} to ${box.end - 1}`)
      for (let step = steps[place]; step !== undefined; step = steps[place]) {
        if (step.kind === 'call' && step.number >= call) return
        await next()
      }
    },
    /** The door's time of the last input. */
    now: () => now,
    /** Lets open areas answer calls that are not in the box. */
    release: hold.release,
  }
}

/** Holds the calls to open areas until the box says that they take effect. */
function createHold() {
  const waiting: (() => void)[] = []
  let free = 0
  const letGo = (more: number) => {
    free += more
    for (; free > 0 && waiting.length > 0; free -= 1) waiting.shift()?.()
  }
  const turn = () =>
    new Promise<void>(resolve => {
      waiting.push(resolve)
      letGo(0)
    })
  return {
    letOne: () => letGo(1),
    release: () => letGo(Number.POSITIVE_INFINITY),
    holding: (areas: OpenAreas): OpenAreas => ({
      ...areas,
      find: (path, method) => {
        const operation = areas.find(path, method)
        if (operation === undefined) return undefined
        return { ...operation, answer: context => turn().then(() => operation.answer(context)) }
      },
    }),
  }
}
