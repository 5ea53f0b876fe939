import { isObject } from '../../../base/json/is-object.ts'
import { valueAt } from '../../../base/json/pointer.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import type { Door } from '../../../service/call/fault.ts'
import { checkDocument, mostComplaints } from '../../fields/check-document.ts'
import type { Problems } from '../../fields/problem.ts'
import {
  type Complaint,
  complain,
  type Document,
  type Reading,
  refused,
  sortComplaints,
} from '../../files/complaint.ts'
import { NotText, readDocument } from '../../files/document.ts'
import { about, type Path } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { checkScenarioDoors } from '../checks/doors.ts'
import { checkChanges, checkScenarioFile } from '../checks/walkthrough.ts'
import { extendScenario, moreMayFollow } from '../extend.ts'
import type { ScenarioFile } from '../file.ts'
import { scenarioFile } from '../settings/scenario-file.ts'
import { settleRules } from '../settle-rules.ts'

/** What `readScenario` needs. */
export interface ScenarioSources {
  /** Rejects when there is no such file, or with NotText. */
  readonly readText: (path: string) => Promise<string>
  readonly fixtures: Fixtures
  /** Merged scenarios that `extends` may name. */
  readonly shipped: ReadonlyMap<string, ScenarioFile>
  /** Complains about rules that it cannot show. Undefined: any door will do. */
  readonly door?: Door | undefined
}

interface Link {
  readonly path: string
  readonly document: Document
  /** The valid fields. */
  readonly own: ScenarioFile
  readonly complaints: readonly Complaint[]
}

/** More than anybody nests. Also ends a chain of symbolic links. */
const maxChain = 32

/** The scenario of a file, merged with everything that it extends. */
export async function readScenario(path: string, sources: ScenarioSources): Promise<Reading<ScenarioFile>> {
  const chain: Link[] = []
  let base: ScenarioFile = {}
  let next: string | undefined = path
  while (next !== undefined) {
    const link: Reading<Link> = await readLink(next, chain, sources)
    if (!link.ok) return refused(...sortComplaints([...complaintsOf(chain), ...link.complaints]))
    chain.push(link.value)
    const extended: string | null | undefined = link.value.own.extends
    const shipped: ScenarioFile | undefined = sources.shipped.get(extended ?? '')
    if (shipped !== undefined) base = shipped
    next = typeof extended === 'string' && shipped === undefined ? resolveFrom(next, extended) : undefined
  }
  const file = chain.reduceRight((merged, { own }) => extendScenario(merged, own), base)
  const complaints = [
    ...complaintsOf(chain),
    ...problemsOf(file, sources)
      .slice(0, mostComplaints)
      .filter(({ path }) => !chain.some(({ document, own }) => dependsOnBadFields(document.value, own, path)))
      .map(({ path, message }) => complainInChain(chain, path, about(path, message))),
  ]
  if (complaints.length > 0) return refused(...sortComplaints(complaints))
  return { ok: true, value: file }
}

function problemsOf(file: ScenarioFile, { fixtures, shipped, door }: ScenarioSources): Problems {
  // While the shipped scenarios are generated, none is known yet. The tests play their walkthroughs.
  const changes = shipped.size === 0 ? [] : checkChanges(file.walkthrough ?? [], fixtures, shipped)
  const problems = [...checkScenarioFile(file, fixtures), ...changes]
  if (door === undefined) return problems
  const badPaths = problems.map(({ path }) => path)
  const { rules, events } = validFields(badPaths, file)
  const settled = { rules: settleRules(rules ?? []), events: events ?? [] }
  return [...problems, ...checkScenarioDoors(settled, door)]
}

async function readLink(
  path: string,
  above: readonly Link[],
  { readText, shipped }: ScenarioSources,
): Promise<Reading<Link>> {
  const namedBy = above.at(-1)
  const complainHere = (message: string): Complaint =>
    namedBy === undefined
      ? { file: path, line: 1, column: 1, message }
      : complain(namedBy.document, ['extends'], 'value', about(['extends'], message))
  const paths = [...above.map(link => link.path), path]
  if (above.some(link => link.path === path))
    return refused(complainHere(`scenarios extend each other in a circle: ${paths.join(' -> ')}`))
  if (above.length >= maxChain) {
    const chain = [...paths.slice(0, 2), '…', ...paths.slice(-2)].join(' -> ')
    return refused(complainHere(`this chain of extends has more than ${maxChain} files: ${chain}`))
  }
  let text: string
  try {
    text = await readText(path)
  } catch (error) {
    if (error instanceof NotText) return refused({ file: path, ...error.place, message: error.message })
    const reason = error instanceof Error ? error.message : String(error)
    const named = namedBy?.own.extends ?? undefined
    if (named === undefined) return refused(complainHere(`${path} cannot be read (${reason})`))
    const hint = suggest(named, shipped.keys())
    const problem = `${named} is neither a shipped scenario nor a readable file (${reason})${hint}`
    return refused(complainHere(problem + moreMayFollow(namedBy?.own ?? {}, problem)))
  }
  const document = await readDocument(path, text)
  if (!document.ok) return document
  const own = checkDocument<ScenarioFile>(scenarioFile, document.value)
  const link = own.ok
    ? { own: own.value, complaints: [] }
    : { own: validFields(own.badPaths, document.value.value), complaints: own.complaints }
  return { ok: true, value: { path, document: document.value, ...link } }
}

function complaintsOf(chain: readonly Link[]): readonly Complaint[] {
  return chain.flatMap(({ complaints }) => complaints)
}

/** A complaint about a merged scenario, in the file that gives the field, else where a user can add it. */
function complainInChain(chain: readonly Link[], path: Path, message: string): Complaint {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length)
    const link = chain.find(({ own }) => valueAt(own, part) !== undefined)
    if (link !== undefined)
      return complain(link.document, part, length === path.length ? 'value' : 'key', message)
  }
  const [first] = chain
  if (first === undefined) throw new Error('A chain of scenarios holds at least the one that was asked for')
  return complain(first.document, [first.own.extends === undefined ? 'title' : 'extends'], 'key', message)
}

export function resolveFrom(file: string, named: string): string {
  if (/^([/\\]|[A-Za-z]:[/\\])/.test(named)) return named
  const above = file
    .split(/(?<=[/\\])/)
    .slice(0, -1)
    .join('')
  const separator = above.includes('\\') ? '\\' : '/'
  const parts: string[] = []
  for (const part of (above + named).split(/[/\\]/)) {
    if (part === '.') continue
    const last = parts.at(-1)
    if (part === '..' && last !== undefined && last !== '' && last !== '..') parts.pop()
    else parts.push(part)
  }
  // The directory of a file that is named without one.
  return parts.join(separator) || '.'
}

/**
 * The valid fields of a file. A field counts as a whole, since its parts depend on each other. A bad rule, or a bad item of a
 * list in a field, leaves a hole, so that the others keep their index.
 */
export function validFields(badPaths: readonly Path[], value: unknown): ScenarioFile {
  if (!isObject(value) || badPaths.some(path => path.length === 0)) return {}
  const copies = Object.entries(value).map(([name, field]) => [name, withOwnLists(field)] as const)
  const fields: Record<string, unknown> = Object.fromEntries(copies)
  for (const [name = '', part, item] of badPaths) {
    const field = fields[name]
    const list = isObject(field) ? field[part ?? ''] : undefined
    if (name === 'rules' && Array.isArray(field) && part !== undefined) delete field[Number(part)]
    else if (Array.isArray(list) && item !== undefined) delete list[Number(item)]
    else delete fields[name]
  }
  return fields
}

function withOwnLists(field: unknown): unknown {
  // Unlike a spread, `slice` keeps holes.
  if (Array.isArray(field)) return field.slice()
  if (!isObject(field)) return field
  const own = Object.entries(field).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice() : value,
  ])
  return Object.fromEntries(own)
}

/** Keys and plans name each other: a mistake in one must not cause complaints about the others. */
const entangled = ['key', 'keys', 'plans'] as const

/** Whether a problem at this path may only be due to fields of `value` that are not among the valid ones. */
export function dependsOnBadFields(value: unknown, valid: ScenarioFile, path: Path): boolean {
  if (!entangled.some(name => name === path[0])) return false
  return entangled.some(name => Object.hasOwn(Object(value), name) && !Object.hasOwn(valid, name))
}
