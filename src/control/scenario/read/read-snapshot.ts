import { locateInJson, scanJson } from '../../../base/json/read.ts'
import { placeInText } from '../../../base/json/scan.ts'
import { checkDocument, complaintsAbout } from '../../fields/check-document.ts'
import { isMap } from '../../fields/values.ts'
import { complain, type Document, type Reading, refused } from '../../files/complaint.ts'
import { checkSnapshot } from '../../snapshot/check.ts'
import { isOfAllSandboxes, type SandboxesSnapshot, type WorldSnapshot } from '../../snapshot/saved.ts'
import { completeSnapshot, snapshot as shape } from '../settings/snapshot.ts'

/** Reads a snapshot file, of all sandboxes or of the default one alone, or lists everything that is wrong with it. */
export function readSnapshotFile(file: string, text: string): Reading<SandboxesSnapshot> {
  const scan = scanJson(text)
  if (scan.value === undefined)
    return refused({ file, ...placeInText(text, scan.at), message: `not valid JSON: ${scan.problem}` })
  const document: Document = {
    file,
    value: scan.value,
    locate: (path, part) => placeInText(text, locateInJson(text, path, part)),
  }
  if (!isMap(scan.value) || typeof scan.value.version !== 'number')
    return refused(complain(document, [], 'value', 'this is JSON, but not a snapshot of pet-mock'))
  const reading = checkDocument<SandboxesSnapshot | WorldSnapshot>(shape, document)
  if (!reading.ok) return reading
  const value = completeSnapshot(reading.value)
  const complaints = complaintsAbout(document, checkSnapshot(value))
  if (complaints.length > 0) return { ok: false, complaints }
  return { ok: true, value: isOfAllSandboxes(value) ? value : ofDefaultSandbox(value) }
}

function ofDefaultSandbox({ version, checksum, scenario, ...world }: WorldSnapshot): SandboxesSnapshot {
  return {
    version,
    ...(checksum !== undefined && { checksum }),
    startsFrom: 0,
    dropped: [],
    scenarios: [scenario],
    sandboxes: [{ name: 'default', scenario: 0, ...world }],
  }
}
