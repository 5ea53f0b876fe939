import { digestOf } from '../../base/hash.ts'
import { listOf } from '../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import {
  type Complaint,
  type Document,
  formatComplaint,
  type Reading,
  sortComplaints,
} from '../../control/files/complaint.ts'
import { descriptionLimits, documentOf, readDocument } from '../../control/files/document.ts'
import { explainNoCodeGeneration } from '../../judges/contract/code-generation.ts'
import { checkDescription } from '../../judges/contract/description/check-description.ts'
import {
  DescriptionNode,
  fileOf,
  type NodeComplaint,
} from '../../judges/contract/description/description-node.ts'
import { findContradictions } from '../../judges/contract/description/find-contradictions.ts'
import { createJudge, type Judge } from '../../judges/contract/judge.ts'
import { type ContractAreas, createAreas, judgeOrders } from '../../judges/contract/open-areas/areas.ts'
import { type LazyOperation, listOperations } from '../../judges/contract/open-areas/lazy-operation.ts'
import { exactly, explainExpansion, forPrism } from '../../judges/contract/prism/for-prism.ts'
import { clip } from '../../service/call/echo.ts'
import { readFrom, readText } from './read-file.ts'

/** A value, or a message for each mistake. */
export type ContractReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaints: readonly string[] }

export type LoadedContract = ContractReading<Judge>

/** What pet-mock serves from a user's contract, and how the two differ. */
export interface LoadedAreas {
  readonly areas: ContractAreas
  /** The operations that cannot be served, and other mistakes, each with its place. */
  readonly leftOut: readonly string[]
  /** Where the emulator differs from the contract, each as `file:line:column: message`. */
  readonly contradictions: readonly string[]
  /** Where these orders differ from the contract. The orders have no place in a file. */
  readonly judgeOrders: (orders: readonly JsonValue[]) => Promise<readonly string[]>
  /** The content of all files, to detect a change. */
  readonly text: string
  /** Creates a judge from the same content. */
  readonly loadJudge: () => Promise<LoadedContract>
}

/** Reads a file of at most `most` bytes. Rejects with Unreadable or NotText. */
type ReadText = (path: string, most?: number) => Promise<string>

/** Creates a judge from a user's OpenAPI file, or from pet-mock's own contract. This loads Prism. */
export async function loadContract(path: string | undefined): Promise<LoadedContract> {
  if (path !== undefined) {
    const reading = await readContract(path, readText)
    return reading.ok ? judgeBy(reading.value) : reading
  }
  const obstacle = explainNoCodeGeneration()
  if (obstacle !== undefined) return { ok: false, complaints: [obstacle] }
  const { contractDocument } = await import('../../generated/contract.ts')
  return { ok: true, value: await createJudge(contractDocument) }
}

async function judgeBy({ root, complaints }: ReadContract): Promise<LoadedContract> {
  if (complaints.length > 0) return refuseAll(root, complaints)
  const whole = forPrism(root)
  const excess = explainExpansion(whole)
  if (excess !== undefined) return refuse(root.complaint(excess))
  try {
    const judge = await createJudge(root.map ?? {}, whole)
    if (judge.operations.length > 0) return { ok: true, value: judge }
  } catch (error) {
    const message = error instanceof Error ? error.message : `${error}`
    return refuse(root.complaint(`this is not valid OpenAPI: ${message}`))
  }
  return refuse(root.at('paths').complaint('expected at least one operation to check a server against'))
}

/** The judge of a loaded contract. Throws an error that lists every mistake, if there are any. */
export function judgeOf(loaded: LoadedContract): Judge {
  if (loaded.ok) return loaded.value
  throw new Error(loaded.complaints.join('\n'))
}

/**
 * Loads a user's OpenAPI file. Operations with mistakes are left out, and named. If none can be served, or the whole is wrong, every
 * mistake is listed. This loads Prism. `only`: globs of paths and tags; none: all operations.
 */
export async function loadAreas(
  path: string,
  readText: ReadText,
  only: readonly string[] = [],
): Promise<ContractReading<LoadedAreas>> {
  const reading = await readContract(path, readText)
  if (!reading.ok) return reading
  const { root } = reading.value
  const complaints = [...reading.value.complaints, ...checkDescription(root)]
  const wanted = listOperations(forPrism(root) as JsonObject).filter(({ path, fields }) => {
    const names = [path, ...listOf(fields.tags).map(String)]
    return only.length === 0 || only.some(glob => names.some(name => fitsGlob(glob, name)))
  })
  if (wanted.length === 0 && only.length > 0)
    return refuse(root.at('paths').complaint(`no path or tag fits --openapi-only ${only.join(', ')}`))
  const { left, others } = leaveOut(root, wanted, complaints)
  const served = wanted.filter(one => !left.has(one))
  // A mistake outside these is about the whole description, and no part of it that can be left out.
  const isAboutAll = others.some(
    ({ node: { path } }) => path.length < 2 || !/^(?:paths|components)$/.test(`${path[0]}`),
  )
  if (isAboutAll || (complaints.length > 0 && served.length === 0)) return refuseAll(root, complaints)
  const { contractDocument } = await import('../../generated/contract.ts')
  const ours = DescriptionNode.rootOf(documentOf(contractDocument))
  const own = createAreas(served)
  const operations = own.served.map(({ described }) => described.operation)
  const description = () => ({ document: Object(exactly(forPrism(root))), operations })
  const files = Object.fromEntries(Array.from(root.files, ([name, { value }]) => [name, writeJson(value)]))
  const text = JSON.stringify(files)
  const source = { file: path, only, digest: digestOf(text), ...(text.length <= mostEmbedded && { files }) }
  const areas: ContractAreas = { ...own, description, source }
  const servesOrders = areas.find('/v1/store/orders', 'GET') !== undefined
  return {
    ok: true,
    value: {
      areas,
      leftOut: [
        ...Array.from(
          left,
          ([{ method, path }, complaint]) => `${method.toUpperCase()} ${path}: ${formatComplaint(complaint)}`,
        ),
        ...others.map(formatComplaint),
      ],
      contradictions: findContradictions(root, ours).map(({ node, message }) => `${node.place}: ${message}`),
      judgeOrders: async orders => (servesOrders ? [] : judgeOrders(areas.operations, orders)),
      text,
      loadJudge: () => judgeBy(reading.value),
    },
  }
}

/** Characters of a contract that a box holds whole. */
const mostEmbedded = 1_048_576

/** `*` stands for a part of one segment, `**` for any text. */
function fitsGlob(glob: string, text: string): boolean {
  const parts = glob
    .split(/(\*+)/)
    .map((part, at) =>
      at % 2 === 0 ? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&') : part === '*' ? '[^/]*' : '.*',
    )
  return new RegExp(`^${parts.join('')}$`).test(text)
}

/** The first mistake of each operation that has one, also behind references, and the mistakes of no operation. */
function leaveOut(
  root: DescriptionNode,
  operations: readonly LazyOperation[],
  complaints: readonly NodeComplaint[],
) {
  const left = new Map<LazyOperation, NodeComplaint>()
  const ofNodes = new Map(complaints.map(complaint => [complaint.node.id, complaint]))
  const seen = new Set<NodeComplaint>()
  for (const operation of complaints.length === 0 ? [] : operations) {
    const item = root.at('paths', operation.path)
    const own = item.follow()
    const parts = [own?.at('parameters'), own?.at(operation.method)].filter(part => part !== undefined)
    const found = [ofNodes.get(item.id) ?? [], ...parts.map(part => complaintsIn(part, ofNodes))].flat()
    for (const complaint of found) seen.add(complaint)
    const [first] = found
    if (first !== undefined) left.set(operation, first)
  }
  return { left, others: complaints.filter(complaint => !seen.has(complaint)) }
}

/** The complaints about a part of a description, and about all that it refers to. */
function complaintsIn(start: DescriptionNode, ofNodes: ReadonlyMap<string, NodeComplaint>) {
  const found: NodeComplaint[] = []
  const visited = new Set<string>()
  const visit = (node: DescriptionNode): void => {
    if (visited.has(node.id)) return
    visited.add(node.id)
    const complaint = ofNodes.get(node.id)
    if (complaint !== undefined) found.push(complaint)
    const ref = node.at('$ref').text
    const target = ref === undefined ? undefined : node.target(ref)
    if (target !== undefined) visit(target)
    for (const item of node.items) visit(item)
    for (const [, field] of node.fields) visit(field)
  }
  visit(start)
  return found
}

function refuse(...complaints: readonly Complaint[]): ContractReading<never> {
  return { ok: false, complaints: complaints.map(formatComplaint) }
}

const mostComplaints = 100
/** Characters of a reference that a message repeats: a path of any system fits. */
const mostShown = 1_000

interface ReadContract {
  readonly root: DescriptionNode
  readonly complaints: readonly NodeComplaint[]
}

/** Reads a description and every file that it refers to, and reports references that lead nowhere. */
async function readContract(path: string, readText: ReadText): Promise<ContractReading<ReadContract>> {
  const obstacle = explainNoCodeGeneration()
  if (obstacle !== undefined) return { ok: false, complaints: [obstacle] }
  const reading = await readFile(path, readText)
  if (typeof reading === 'string') return { ok: false, complaints: [reading] }
  if (!reading.ok) return refuse(...reading.complaints)
  const document = reading.value
  const files = new Map([[document.file, document]])
  const root = DescriptionNode.rootOf(document, files)
  const version = explainVersion(root)
  if (version !== undefined) return refuse(version)
  const complaints: NodeComplaint[] = []
  // The map grows in this loop.
  for (const [, file] of files)
    complaints.push(...(await readReferences(DescriptionNode.rootOf(file, files), files, readText)))
  return { ok: true, value: { root, complaints } }
}

/** Lists mistakes, those of the first file first. */
function refuseAll(root: DescriptionNode, complaints: readonly Complaint[]): ContractReading<never> {
  const own = complaints.filter(({ file }) => file === root.document.file)
  const messages = [...new Set(sortComplaints([...own, ...complaints]).map(formatComplaint))]
  const left = messages.length - mostComplaints
  const more = left > 0 ? [`and ${left} more mistakes in this description`] : []
  return { ok: false, complaints: [...messages.slice(0, mostComplaints), ...more] }
}

/** Why a file is not an OpenAPI description of a supported version. */
function explainVersion(root: DescriptionNode): NodeComplaint | undefined {
  const version = root.at('openapi')
  const swagger = root.at('swagger')
  if (root.map === undefined)
    return root.complaint('expected an OpenAPI 3 description, a map with openapi, info and paths')
  if (version.value === undefined && swagger.value !== undefined)
    return swagger.complaint(
      'this is Swagger 2.0, and pet-mock reads OpenAPI 3.0 and 3.1. Convert it: npx swagger2openapi --yaml --outfile openapi.yaml FILE',
    )
  return typeof version.value === 'string' && /^3\.[01]\./.test(version.value)
    ? undefined
    : version.complaint('expected version 3.0 or 3.1 of OpenAPI, such as openapi: 3.1.0')
}
function readFile(path: string, readText: ReadText): Promise<Reading<Document> | string> {
  const text = readText(path, descriptionLimits.bytes)
  return readFrom(path, text, text => readDocument(path, text, descriptionLimits))
}

/** Adds the files that a file refers to, and reports references that lead nowhere. */
async function readReferences(root: DescriptionNode, files: Map<string, Document>, readText: ReadText) {
  const complaints: NodeComplaint[] = []
  const unreadable = new Map<string, string>()
  for (const [node, ref] of referencesIn(root)) {
    const [name = ''] = ref.split('#')
    if (/^[a-z][\w+.-]+:/i.test(name)) {
      complaints.push(
        node.complaint(
          `pet-mock downloads no files: save a copy of ${clip(name, mostShown)} beside this file`,
        ),
      )
      continue
    }
    const path = name === '' ? root.document.file : fileOf(root.document.file, name)
    if (!files.has(path) && !unreadable.has(path)) {
      const reading = await readFile(path, readText)
      if (typeof reading === 'string') unreadable.set(path, reading)
      else if (reading.ok) files.set(path, reading.value)
      else {
        unreadable.set(path, `${path} cannot be read`)
        complaints.push(...reading.complaints.map(complaint => ({ ...complaint, node })))
      }
    }
    const isNowhere = root.target(ref) === undefined
    const problem = unreadable.get(path) ?? (isNowhere ? `${JSON.stringify(ref)} leads nowhere` : undefined)
    if (problem !== undefined) complaints.push(node.complaint(clip(problem, mostShown)))
  }
  return complaints
}

/** Fields whose values are data, not parts of the description. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

function* referencesIn(node: DescriptionNode): Generator<readonly [node: DescriptionNode, ref: string]> {
  for (const item of node.items) yield* referencesIn(item)
  for (const [name, field] of node.fields) {
    if (name === '$ref' && field.text !== undefined) yield [field, field.text]
    // Under `properties`, these names are not keywords.
    else if (!data.has(name) || node.path.at(-1) === 'properties') yield* referencesIn(field)
  }
}
