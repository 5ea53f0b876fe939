import type { CallForm } from './mock.ts'
import {
  form,
  isShipped,
  methods,
  noKey,
  otherKeys,
  readYaml,
  shippedKeys,
  targets,
  useScenario,
} from './mock.ts'

/** What a link holds: a call, and a shipped scenario or a scenario file. */
export interface Linked {
  readonly call: CallForm
  readonly scenario?: string
  readonly yaml?: string
}

const start = '#play='
/** Characters of a fragment that every browser and chat program keeps. */
const longest = 8_192

/** The address of this page with a situation in its fragment, which no server sees. Throws with a sentence if it cannot be. */
export async function linkTo(linked: Linked): Promise<string> {
  const problem = await problemOf(linked)
  if (problem !== undefined) throw new Error(problem)
  const fragment = start + encodeURIComponent(JSON.stringify(linked))
  if (fragment.length > longest)
    throw new Error('This situation is too large for a link (8 kB). Copy it as a scenario file.')
  return location.href.replace(/#.*$/, '') + fragment
}

/** The situation in a fragment. Undefined: there is none. A sentence: it cannot be used. */
export async function readLink(fragment: string): Promise<Linked | string | undefined> {
  if (!fragment.startsWith(start)) return undefined
  if (fragment.length > longest) return 'The link is too long. This is the free plan instead.'
  const linked = parse(fragment.slice(start.length))
  if (linked === undefined) return 'The link is broken. This is the free plan instead.'
  const problem = await problemOf(linked)
  return problem === undefined ? linked : `${problem} This is the free plan instead.`
}

function parse(text: string): Linked | undefined {
  try {
    const { call, scenario, yaml } = JSON.parse(decodeURIComponent(text))
    const { method, target, key, body } = call
    const isCall =
      [target, key, body].every(text => typeof text === 'string') &&
      methods.includes(method) &&
      new RegExp(`^${targets}$`, 's').test(target)
    const known = [scenario, yaml].filter(text => text !== undefined)
    if (!isCall || known.length !== 1 || known.some(text => typeof text !== 'string')) return undefined
    return { call: { method, target, key, body }, ...(yaml === undefined ? { scenario } : { yaml }) }
  } catch {
    return undefined
  }
}

async function problemOf({ call, scenario, yaml }: Linked): Promise<string | undefined> {
  if (![noKey, ...shippedKeys].includes(call.key)) return otherKey(call.key)
  if (yaml === undefined) return isShipped(scenario) ? undefined : 'The link names no shipped scenario.'
  const reading = await readYaml(yaml)
  if (!reading.ok) {
    const [first] = reading.complaints
    return `The scenario file of the link has a mistake in line ${first?.line}: ${first?.message}.`
  }
  const [other] = otherKeys(reading.value.file)
  return other === undefined ? undefined : otherKey(other)
}

const otherKey = (key: string) =>
  `A link holds only the keys ${shippedKeys.join(', ')}, and not ${JSON.stringify(key.slice(0, 60))}.`

/** Starts what a link holds. */
export async function follow({ call, scenario, yaml }: Linked): Promise<void> {
  const reading = yaml === undefined ? undefined : await readYaml(yaml)
  if (reading?.ok) await useScenario(reading.value.file)
  if (isShipped(scenario)) await useScenario(scenario)
  form.value = call
}
