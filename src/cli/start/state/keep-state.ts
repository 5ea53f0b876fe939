import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { formatCount } from '../../../base/text/quantities.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { restoreSandboxes } from '../../../control/snapshot/restore.ts'
import { captureSandboxes, writeSandboxes } from '../../../control/snapshot/take.ts'
import { asSentence, refusal } from '../../../doors/admin/routing/replies.ts'
import type { SavedState, SaveState } from '../../../doors/admin/routing/route-context.ts'
import type { LoadAdminPlane } from '../../../doors/server/load-admin.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import { explainFileError } from '../../../library/files/read-file.ts'
import { refuse } from '../../../service/call/answer.ts'
import type { LateHandle, Reply } from '../../../service/call/call.ts'
import type { serveFlags } from '../../arguments/serve-flags.ts'
import type { Reporter } from '../../log/reporter.ts'
import type { ServeFlagValues } from '../load/load-from-flags.ts'
import { type StateFile, StateTaken } from './state-file.ts'

/** How often it checks for changes, in milliseconds. */
const lookMs = 100
/** The longest that a change waits, in milliseconds, unless saving would take more than `share`. */
const freshMs = 1_000
/** The share of time that saving may take from calls. */
const share = 0.05
/** The most that a save may start early, in milliseconds. */
const mostAheadMs = 250

/**
 * Saves all sandboxes after changes: about once a second, and less often if that would take more than 5 % of the time from
 * calls. A failure is reported once and retried, while the server keeps running. If the last save fails, the state goes to
 * a second place. `isSaved`: the file holds the current state.
 */
export function keepState(
  { sandboxes, revision }: Pick<Emulator, 'sandboxes' | 'revision'>,
  file: Omit<StateFile, 'snapshot'>,
  reporter: Pick<Reporter, 'notice' | 'failure'>,
  isSaved: boolean,
) {
  let saved = isSaved ? revision() : undefined
  let savedAt: number | undefined
  let isFailing = false
  let isEnded = false
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<SavedState> | undefined
  let pauseMs = freshMs
  let timer: NodeJS.Timeout | undefined
  const pieces = () => writeSandboxes(captureSandboxes(sandboxes))

  const save = async (): Promise<SavedState> => {
    next = undefined
    const captured = revision()
    const [began, at] = [performance.now(), Date.now()]
    try {
      const { bytes, busyMs } = await file.write(pieces)
      saved = captured
      savedAt = at
      pauseMs = pauseAfter(performance.now() - began, busyMs)
      if (isFailing) reporter.notice(`Saving ${file.name} works again.`)
      isFailing = false
      return { ok: true, file: file.path, bytes }
    } catch (error) {
      const problem = `Cannot save ${file.name} (${explainFileError(error)})`
      pauseMs = freshMs
      // An error that names no system call is a defect of pet-mock, and needs its stack.
      const isExpected = error instanceof StateTaken || (error instanceof Error && 'syscall' in error)
      if (!isExpected) reporter.failure(error)
      else if (!isFailing && !isEnded) {
        const outlook = error instanceof StateTaken ? 'no longer saves' : 'tries again to save'
        reporter.notice(`${problem}. The server keeps running, and ${outlook}.`)
      }
      isFailing = true
      return { ok: false, problem }
    }
  }
  /** Saves everything that was answered before. Callers that wait for a running save share the one after it. */
  const saveNow: SaveState = () => {
    next ??= last.then(save)
    last = next
    return next
  }

  const rescue = async (problem: string) => {
    try {
      const path = await file.writeElsewhere(pieces)
      reporter.notice(
        `${problem}. The whole state is in ${path} instead. To continue from it, move it, or start with --state ${path}.`,
      )
    } catch (error) {
      const since = savedAt === undefined ? 'the start' : formatInstant(Math.floor(savedAt / 1_000) * 1_000)
      reporter.notice(
        `${problem}, nor a copy in ${tmpdir()} (${explainFileError(error)}). Changes since ${since} are lost.`,
      )
    }
  }

  const look = (inMs: number) => {
    timer = setTimeout(() => {
      if (revision() === saved) return look(lookMs)
      saveNow().then(() => {
        if (!isEnded) look(pauseMs)
      })
    }, inMs)
  }

  return {
    begin: () => look(0),
    saveNow,
    /** Saves the latest changes, stops and unlocks the file. Resolves with false if the file lacks some of them. */
    end: async (): Promise<boolean> => {
      isEnded = true
      clearTimeout(timer)
      try {
        await last
        if (revision() === saved) return true
        const saving = await saveNow()
        if (!saving.ok) await rescue(saving.problem)
        return saving.ok
      } finally {
        await file.release()
      }
    },
  }
}

/** How long to wait after a save, in milliseconds. The next one will probably take as long, so it starts that much earlier. */
function pauseAfter(tookMs: number, busyMs: number): number {
  const betweenMs = Math.max(freshMs - Math.min(tookMs, mostAheadMs), busyMs / share)
  return Math.max(lookMs, betweenMs - tookMs)
}

const startFlags = [
  'scenario',
  'fixtures',
  'pets',
  'seed',
  'clock',
  'add-key',
  'profile',
  'latency',
  'watch',
] as const satisfies (keyof typeof serveFlags)[]

/**
 * Replaces the sandboxes by the saved ones, which override the flags. If the flags name the saved scenario and it has
 * changed since, the new version is adopted as with `--watch`. Returns undefined if nothing was saved yet. `isAsAsked`: the
 * sandboxes run the scenario of the flags. `isAsSaved`: they equal the saved ones.
 */
export function restoreState(
  { name, snapshot }: Pick<StateFile, 'name' | 'snapshot'>,
  sandboxes: Sandboxes,
  { given, sources }: ServeFlagValues,
) {
  if (snapshot === undefined) return undefined
  const asked = sandboxes.scenario
  const [scenario, worlds, dropped] = restoreSandboxes(snapshot, [asked])
  sandboxes.replaceAll(scenario, worlds, dropped)
  const others = worlds.length - 1
  const what = [
    scenario.name,
    formatCount(sandboxes.default.pets.size, 'pet'),
    ...(others === 0 ? [] : [formatCount(others, 'more sandbox', 'more sandboxes')]),
  ]
  const text = `Restored from ${name}: ${what.join(', ')}.`
  if (scenario === asked) return { text, isAsAsked: true, isAsSaved: true }
  const ignored = startFlags.filter(flag => given.has(flag))
  if (ignored.length > 0 && resolve(scenario.name) === resolve(asked.name)) {
    sandboxes.adopt(asked, Date.now())
    const how = asked.reset
      ? 'has changed and says reset: true, so every sandbox starts over.'
      : 'has changed: its settings, plans, keys and rules apply now; pets, counters and the clock continue.'
    return { text: `${text} ${asked.name} ${how}`, isAsAsked: true, isAsSaved: false }
  }
  // `scenario in pet-mock.yaml` for `pet-mock.yaml:3:1: scenario`.
  const flags = ignored.map(flag => sources[flag].replace(/^(.*):\d+:\d+: (.*)$/, '$2 in $1')).join(', ')
  const how =
    flags === ''
      ? ''
      : ` Ignored ${flags}: ${name} takes precedence. To use ${ignored.length === 1 ? 'it' : 'them'}, name another state file.`
  return { text: `${text}${how}`, isAsAsked: false, isAsSaved: true }
}

/** Methods that ask for no change (RFC 9110, section 9.2.1). What they count is saved within a second, as always. */
const isSafe = (method: string) => /^(?:GET|HEAD|OPTIONS|TRACE)$/.test(method)

/**
 * A handle whose reply to a change waits until the change is on disk. If it cannot be saved, the client gets a 500: the
 * change is in memory, and a client that was promised a durable write must know that this one is not.
 */
export function saveBeforeReply(handle: LateHandle, saveState: SaveState): LateHandle {
  const replyAfterSave = async (answered: Reply | Promise<Reply>): Promise<Reply> => {
    const reply = await answered
    const saved = await saveState()
    return saved.ok ? reply : unsaved(reply, saved.problem)
  }
  return call => {
    const reply = handle(call)
    return isSafe(call.method) ? reply : replyAfterSave(reply)
  }
}

function unsaved(reply: Reply, problem: string): Reply {
  const { body, length } = refuse('state_not_saved', notDurable(problem))
  const { Location: _, ...headers } = reply.headers
  return {
    ...reply,
    status: 500,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': `${length}` },
    body,
    octets: undefined,
  }
}

/** An admin plane whose answers to changes wait in the same way. */
export function planeSavingBeforeReply(load: LoadAdminPlane, saveState: SaveState): LoadAdminPlane {
  return async address => {
    const plane = await load(address)
    return async (call, waiting) => {
      const response = await plane(call, waiting)
      if (isSafe(call.method) || !response.ok) return response
      const saved = await saveState()
      return saved.ok ? response : refusal('state_not_saved', notDurable(saved.problem))
    }
  }
}

function notDurable(problem: string): string {
  return `${asSentence(problem)} The change is in memory only.`
}
