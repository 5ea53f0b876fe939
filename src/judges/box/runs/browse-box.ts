import type { Emulator } from '../../../emulator/emulator.ts'
import { defaultSandbox } from '../../../emulator/worlds/sandboxes.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import type { BoxPlayer } from '../play-box.ts'
import type { Box } from '../read-box.ts'
import { describeChange } from './diff.ts'

/** A call as the box has it: nothing is played for it. */
export type ListedCall = ReturnType<typeof listCalls>[number]

export type BrowsedBox = ReturnType<typeof browseBox>

/**
 * Lets people look at each call of a box, and move the served worlds there. `play`: an emulator at the start of the box.
 * `emulator`: the one that is served, with the worlds before call `served`.
 */
export function browseBox(box: Box, play: () => Promise<BoxPlayer>, emulator: Emulator, served: number) {
  const calls = listCalls(box)
  let placed = served
  let player: BoxPlayer | undefined
  /** The first call that the player has not begun. */
  let next = box.header.from
  let last: Promise<unknown> = Promise.resolve()

  /** Plays up to a call. Its worlds go to `show`, and then the call is played. */
  const look = async <State>(number: number, show: (world: World, now: number) => State) => {
    if (player === undefined || number < next) player = await play()
    await player.to(number)
    next = number + 1
    const { sandboxes } = player.emulator
    const { effect, call } = calls[number - box.header.from] ?? calls.at(-1) ?? {}
    const now = (number < box.end && call?.receivedAt) || player.now()
    const state = show(sandboxes.open(effect?.sandbox ?? defaultSandbox, now) ?? sandboxes.default, now)
    let played = await player.step()
    // Calls to open areas take effect later: the player is past other calls by then.
    if (played !== undefined && played.number !== number) next = box.end + 1
    while (played !== undefined && played.number !== number) played = await player.step()
    return { state, played, sandboxes, changes: calls[number - box.header.from]?.changes ?? [] }
  }
  return {
    calls,
    end: box.end,
    served: () => placed,
    /** Rejects with a BoxError for a call that the box does not have. After the last one, there is a world, and no call. */
    look: <State>(number: number, show: (world: World, now: number) => State) => {
      const looked = last.then(() => look(number, show))
      last = looked.catch(() => {
        player = undefined
      })
      return looked
    },
    /** Rejects with a BoxError for a call that the box does not have. */
    serve: async (number: number): Promise<void> => {
      const fresh = await play()
      await standBefore(fresh, box, number)
      const { sandboxes, areas } = fresh.emulator
      emulator.sandboxes.replaceAll(sandboxes.scenario, [...sandboxes], sandboxes.dropped)
      const opened = areas()
      if (opened !== undefined) emulator.openAreas(opened)
      placed = number
    },
  }
}

/** Plays up to a call, and stops all clocks at its instant: a client can go on from there. Rejects with a BoxError. */
export async function standBefore(player: BoxPlayer, box: Box, number: number): Promise<void> {
  await player.to(number)
  const next = box.steps.find(step => step.kind === 'call' && step.number === number)
  player.change('*', { do: 'freezeClock' }, next?.kind === 'call' ? next.call.receivedAt : player.now())
  player.release()
}

function listCalls({ steps }: Box) {
  const late = new Map(steps.map(step => [step.kind === 'effect' && step.number, step] as const))
  const changed: string[] = []
  return steps.flatMap(step => {
    if (step.kind === 'change') changed.push(describeChange(step))
    if (step.kind !== 'call') return []
    const { number, call } = step
    const effected = late.get(number)
    const effect = step.effect ?? (effected?.kind === 'effect' ? effected.effect : {})
    /** What changed worlds since the call before, as text. */
    const changes: readonly string[] = changed.splice(0)
    return [{ number, call, effect, changes }]
  })
}
