import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Behaviour, KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import type { Reporter } from '../log/reporter.ts'
import type { Loaded } from './load/load-from-flags.ts'
import { type Loading, userFiles } from './load/loading.ts'

type Reload = (files: RecordedFiles, before: Loaded) => Promise<Loading<Loaded>>

/** How often the files are checked, in milliseconds. */
const intervalMs = 100

/** Reloads the files once they have changed and stayed the same between two checks. Returns a function that stops it. */
export function watch(
  initial: Loaded,
  { files: initialFiles, load }: { readonly files: RecordedFiles; readonly load: Reload },
  { sandboxes, openAreas }: Pick<Emulator, 'sandboxes' | 'openAreas'>,
  reporter: Pick<Reporter, 'notice' | 'notAdopted' | 'failure'>,
  onReload: (loaded: Loaded, isOtherContract: boolean) => void,
): () => void {
  let loaded = initial
  let files = initialFiles
  let lastLook = ''
  let stopped = false

  const reload = async (paths: readonly string[]) => {
    const read = recordFiles()
    const loading = await load(read, loaded)
    if (stopped) return
    files = read
    if (!loading.ok) {
      reporter.notAdopted(loading.complaints)
      return
    }
    const isOtherContract = loaded.openapi?.text !== loading.value.openapi?.text
    const ofScenario = findChanges(loaded.scenario, loading.value.scenario)
    const changes = [...ofScenario, ...(isOtherContract ? [{ name: 'the contract', isAtStart: false }] : [])]
    loaded = loading.value
    sandboxes.adopt(loaded.scenario, Date.now())
    if (loaded.openapi !== undefined) openAreas(loaded.openapi.areas)
    onReload(loaded, isOtherContract)
    reporter.notice(formatChanges(paths, changes, loaded.scenario.reset))
    if (isOtherContract) for (const line of loaded.openapi?.lines ?? []) reporter.notice(line)
  }

  const look = async () => {
    const changed = await files.changed()
    const now = JSON.stringify(changed)
    const isStable = now === lastLook
    lastLook = now
    if (changed.length > 0 && isStable) await reload(changed.map(({ path }) => path))
  }

  let timer: NodeJS.Timeout | undefined
  const next = () => {
    timer = setTimeout(async () => {
      await look().catch(error => reporter.failure(error))
      if (!stopped) next()
    }, intervalMs)
  }
  next()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

type RecordedFiles = ReturnType<typeof recordFiles>

/** Reads the user's files, and records how each looked just before it was read. Missing files count, too. */
export function recordFiles() {
  const looks = new Map<string, string>()
  const recorded =
    <T, More extends readonly unknown[]>(read: (path: string, ...more: More) => Promise<T>) =>
    async (path: string, ...more: More): Promise<T> => {
      looks.set(path, await lookOf(path))
      return read(path, ...more)
    }
  return {
    readText: recorded(userFiles.readText),
    listFiles: recorded(userFiles.listFiles),
    changed: async () => {
      const now = await Promise.all([...looks.keys()].map(async path => ({ path, look: await lookOf(path) })))
      return now.filter(({ path, look }) => look !== looks.get(path))
    },
  }
}

/** Changes with every save, however the editor saves: times in nanoseconds, size and identity of the file. */
async function lookOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, dev, ino } = await stat(path, { bigint: true })
    return `${mtimeNs} ${ctimeNs} ${size} ${dev} ${ino}`
  } catch {
    return 'missing'
  }
}

/** A difference between two scenarios, by field name as in scenario files. */
interface Change {
  readonly name: string
  /** Applied only where a sandbox starts. Other changes apply in every sandbox at once. */
  readonly isAtStart: boolean
}

/** These have no effect on calls, or are compared on their own. */
const notCompared: readonly string[] = [
  'name',
  'title',
  'description',
  'key',
  'reset',
  'keys',
  'behaviour',
  'origin',
] satisfies (keyof Scenario)[]

const startFields: readonly string[] = ['pets', 'clock', 'seed'] satisfies (keyof Scenario)[]

function findChanges(before: Scenario, after: Scenario): readonly Change[] {
  const fields = changedFields(before, after).filter(field => !notCompared.includes(field))
  const nested: keyof Behaviour = 'defaultStatus'
  return [
    ...fields.map(name => ({ name, isAtStart: startFields.includes(name) })),
    ...changedFields(before.behaviour, after.behaviour).map(field => ({
      name: field === nested ? `pets.${field}` : field,
      isAtStart: false,
    })),
    ...findKeyChanges(before.keys, after.keys),
  ]
}

const keyStartFields: readonly string[] = ['used', 'strikes', 'bannedForMs'] satisfies (keyof KeyStart)[]

function findKeyChanges(before: Scenario['keys'], after: Scenario['keys']): readonly Change[] {
  const changed = [...after].map(([key, is]) => ({ key, fields: changedFields(before.get(key) ?? is, is) }))
  const keysWhere = (isAtStart: boolean, note = '') =>
    changed
      .filter(({ fields }) => fields.some(field => keyStartFields.includes(field) === isAtStart))
      .map(({ key }) => ({ name: `keys.${key}${note}`, isAtStart }))
  const missing = (from: Scenario['keys'], keys: Scenario['keys'], note: string) =>
    [...keys.keys()]
      .filter(key => !from.has(key))
      .map(key => ({ name: `keys.${key} (${note})`, isAtStart: false }))
  return [
    ...keysWhere(false),
    ...missing(before, after, 'new'),
    ...missing(after, before, 'removed'),
    ...keysWhere(true, ' (initial state)'),
  ]
}

function changedFields<T extends object>(before: T, after: T): readonly string[] {
  const was = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(([field, value]) =>
    // Pets are shared unless they changed, and may be too many to compare.
    field === 'pets' ? value !== was.get(field) : !isDeepStrictEqual(value, was.get(field)),
  )
  return changed.map(([field]) => field)
}

function formatChanges(files: readonly string[], changes: readonly Change[], reset: boolean): string {
  const reloaded = `Reloaded ${files.join(', ')}.`
  if (reset) return `${reloaded} Every sandbox starts over, because of \`reset: true\`.`
  if (changes.length === 0) return `${reloaded} Nothing changes for calls.`
  const list = (what: string, isAtStart: boolean) => {
    const names = changes.filter(change => change.isAtStart === isAtStart).map(({ name }) => name)
    return names.length === 0 ? '' : ` ${what}: ${names.join(', ')}.`
  }
  return `${reloaded}${list('Applied now', false)}${list('Applied in sandboxes without calls, elsewhere by pet-mock reset', true)}`
}
