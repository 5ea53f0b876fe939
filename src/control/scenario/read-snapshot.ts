import { locateInJson } from '../../base/json/locate.ts'
import { scanJson } from '../../base/json/read.ts'
import { placeInText } from '../../base/json/scan.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { check } from '../files/check.ts'
import { type Reading, refused } from '../files/complaint.ts'
import { complain, type Document } from '../files/document.ts'
import { about } from '../files/show.ts'
import { checkSnapshot } from '../snapshot/check.ts'
import {
  isOfAllSandboxes,
  type SandboxesSnapshot,
  type Snapshot,
  snapshotVersion,
  type WorldSnapshot,
} from '../snapshot/saved.ts'

/** The snapshot that a file holds, of all sandboxes or of the default one alone; or everything that is wrong with it. */
export async function readSnapshotFile(file: string, text: string): Promise<Reading<SandboxesSnapshot>> {
  const scan = scanJson(text)
  if (scan.value === undefined)
    return refused({ file, ...placeInText(text, scan.at), message: `not valid JSON: ${scan.problem}` })
  const document: Document = {
    file,
    value: scan.value,
    locate: (path, part) => placeInText(text, locateInJson(text, path, part)),
  }
  const { otherVersion, sandboxesSnapshotSchema, worldSnapshotSchema } = await import('./schema/snapshot.ts')
  const version = versionOf(scan.value)
  if (typeof version !== 'number')
    return refused(complain(document, [], 'value', 'this is JSON, but no snapshot of pet-mock'))
  if (version !== snapshotVersion) {
    const message = `version: expected ${otherVersion(version)}, found ${version}`
    return refused(complain(document, ['version'], 'value', message))
  }
  // The value itself is used, in which an int64 may have either form: zod's copy loses names such as __proto__.
  const snapshot = scan.value as unknown as Snapshot
  const checking = check<Snapshot>(
    isOfAllSandboxes(snapshot) ? sandboxesSnapshotSchema : worldSnapshotSchema,
    document,
  )
  if (!checking.ok) return checking
  const complaints = checkSnapshot(snapshot).map(({ path, message }) =>
    complain(document, path, 'value', about(path, message)),
  )
  if (complaints.length > 0) return { ok: false, complaints }
  return { ok: true, value: isOfAllSandboxes(snapshot) ? snapshot : ofDefaultSandbox(snapshot) }
}

function versionOf(value: JsonValue): unknown {
  return typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
}

function ofDefaultSandbox({ version, scenario, ...world }: WorldSnapshot): SandboxesSnapshot {
  return {
    version,
    startsFrom: 0,
    dropped: [],
    scenarios: [scenario],
    sandboxes: [{ name: 'default', scenario: 0, ...world }],
  }
}
