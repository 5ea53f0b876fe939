import { groupDigits } from '../../../base/text/quantities.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import { defaultSandbox, type Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import { type Box, BoxError } from '../../../judges/box/read-box.ts'
import { browseBox, standBefore } from '../../../judges/box/runs/browse-box.ts'
import type { CallHead } from '../../../service/call/call.ts'
import { type RunOf, refuseUsage } from '../../arguments/command.ts'
import { readFlags } from '../../arguments/flag.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'
import { openBox } from '../../box/open-box.ts'
import { contractOf } from '../../start/serve-emulator.ts'
import { startServer } from '../../start/start-server.ts'
import { untilStopped } from '../../start/stop.ts'
import { exitCodes } from '../../terminal/io.ts'
import type { CallPlace, openFlags } from './flags.ts'

export const run: RunOf<typeof openFlags> = async ({ words: [path = ''], values: own, io, loadCommands }) => {
  const usual = readFlags(serveFlags, new Map(), {})
  const values = { ...usual.values, ...own }
  let notice = (_text: string) => {}
  const opening = await openBox(path, own.openapi, {
    contract: contractOf(values),
    steady: () => performance.now(),
    onNotice: text => notice(text),
  })
  if (!opening.ok) return refuseUsage(opening.complaints, io)
  const { box, player, play } = opening.value
  const call = callAt(box, own.at)
  if (call === undefined)
    return refuseUsage(['--at: the box has no such request; pet-mock box show lists all calls'], io)
  try {
    // Plays up to the call, and stops all clocks at its instant.
    await standBefore(player, box, call)
  } catch (error) {
    if (error instanceof BoxError) return refuseUsage([`--at: ${error.message}`], io)
    throw error
  }
  const browsed = browseBox(box, play, player.emulator, call)
  const emulator = withKeys(player.emulator, new Map(own.as.map(({ name, key }) => [key, name])))
  const invocation = { ...usual, values: { ...values, openapi: undefined }, words: [], io, loadCommands }
  const starting = await startServer(invocation, undefined, { emulator, browsed })
  if (!starting.ok) return starting.exitCode
  const { reporter, facts, close } = starting.server
  notice = reporter.notice
  if (reporter.call !== undefined) emulator.observe(reporter.call)
  const { stopped } = untilStopped(io, close)
  reporter.ready(facts)
  for (const text of noticesOf(box, call, emulator.sandboxes)) notice(text)
  await stopped
  await reporter.end()
  return exitCodes.fine
}

/** The number of a call, by default of the one after the last. Undefined: the box has no such call. */
function callAt({ steps, end }: Box, place: CallPlace = end): number | undefined {
  if (typeof place === 'number') return place
  for (const step of steps)
    if ((step.kind === 'call' || step.kind === 'effect') && step.effect?.id === place.id)
      if ((step.effect.sandbox ?? defaultSandbox) === place.sandbox) return step.number
  return undefined
}

function noticesOf({ end }: Box, call: number, sandboxes: Sandboxes): readonly string[] {
  const where = call === end ? 'after the last call' : `before call ${groupDigits(call)}`
  const keys = [...sandboxes].flatMap(world => [...world.keys.values()])
  const named = keys.filter(({ text }) => !Object.hasOwn(shippedFixtures.keys, text))
  const names = [...new Set(named.map(({ text, plan }) => `${text} (plan ${plan})`))].join(', ')
  return [
    `The worlds of the run ${where}. The clock stands still at ${formatInstant(sandboxes.default.clock.at)}: pet-mock clock resume lets it run.`,
    'The page Run of the dashboard shows all calls, and serves from any of them.',
    ...(names === ''
      ? []
      : [`Keys of the run have names here: ${names}. To let a client in with its own key: --as NAME=KEY`]),
  ]
}

/** Lets clients send keys of their own in place of names. `names`: by key. */
function withKeys(emulator: Emulator, names: ReadonlyMap<string, string>): Emulator {
  const rename = (value: string) =>
    value.replace(/(?<=^bearer +)(.*?)(\+[\w.-]*)?$/i, (whole, key: string, sandbox = '') => {
      const name = names.get(key)
      return names.get(whole) ?? (name === undefined ? whole : name + sandbox)
    })
  const renamed = <C extends CallHead>(call: C): C => ({
    ...call,
    headers: call.headers.map((text, at) =>
      at % 2 === 1 && /^authorization$/i.test(call.headers[at - 1] ?? '') ? rename(text) : text,
    ),
  })
  if (names.size === 0) return emulator
  return {
    ...emulator,
    answer: call => emulator.answer(renamed(call)),
    usesBody: head => emulator.usesBody(renamed(head)),
  }
}
