import { isSame } from '../../../control/profile/merge.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import type { Line, Profile } from '../../../emulator/worlds/scenario.ts'
import { belowBase } from '../../../judges/exchanges/texts.ts'
import { createLearner } from '../../../judges/profile/learner.ts'
import type { Loading } from '../../start/load/loading.ts'
import { readOwnProfile, saveProfile } from '../../start/state/save-profile.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { basePathOf, serviceOf } from '../check/run.ts'

/** Milliseconds of traffic between two saves. */
const every = 30_000

/** Learns from traffic for `--learn FILE`, and keeps the file up to date. Refuses the profile of another service. */
export async function openProxyLearner(file: string, url: URL, io: Io) {
  const [base, service] = [basePathOf(url), serviceOf(url)]
  const known = await readOwnProfile(file, service)
  if (!known.ok) return known
  const learner = createLearner({ service })
  let saved: Profile | undefined
  let savedAt: number | undefined
  let saving = Promise.resolve(true)
  const save = async (): Promise<boolean> => {
    const now = learner.profile()
    const result = await saveProfile(file, sinceThen(now, saved), io.pid)
    if (result.ok) saved = now
    else io.stderr.write(`--learn: ${result.complaints.join('; ')}\n`)
    return result.ok
  }
  const value = {
    add: (exchange: Exchange): void => {
      const { call } = exchange
      const target = belowBase(call.target, base)
      if (target === undefined) return
      learner.add({ ...exchange, call: { ...call, target: `/v1${target}` } })
      savedAt ??= call.receivedAt
      if (call.receivedAt - savedAt < every) return
      savedAt = call.receivedAt
      saving = saving.then(save)
    },
    /** Resolves with the exit code when all is saved. */
    finish: async (): Promise<number> => {
      await saving
      return savedAt === undefined || (await save()) ? exitCodes.fine : exitCodes.notSaved
    },
  }
  return { ok: true, value } satisfies Loading<typeof value>
}

/** What was learned after an earlier save: the file already counts the rest. */
function sinceThen(now: Profile, saved: Profile | undefined): Profile {
  const lines = Object.entries(now.learned).flatMap(([path, line]): [string, Line][] => {
    const old = saved?.learned[path]
    if (old === undefined || !isSame(old.value, line.value)) return [[path, line]]
    return line.seen > old.seen ? [[path, { ...line, seen: line.seen - old.seen }]] : []
  })
  return { ...now, learned: Object.fromEntries(lines) }
}
