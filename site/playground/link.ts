import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { type CallForm, methods, noKey, readYaml, sentenceOf, shippedKeys, targets } from './mock.ts'

/** What a link holds: a call, and the text of a scenario file. */
interface Linked {
  readonly call: CallForm
  readonly yaml: string
}

const start = '#play='
/** Characters of a fragment that every browser and chat program keeps. */
const longest = 8_192

/** The address of this page with a situation in its fragment, which no server sees. Throws with a sentence if it cannot be. */
export async function linkTo(linked: Linked): Promise<string> {
  await check(linked)
  const fragment = start + encodeURIComponent(JSON.stringify(linked))
  if (fragment.length > longest)
    throw new Error('This situation is too large for a link (8 kB). Copy it as a scenario file.')
  return location.href.replace(/#.*$/, '') + fragment
}

/** The situation in a fragment. Undefined: there is none. A sentence: it cannot be used. */
export async function readLink(
  fragment: string,
): Promise<{ readonly call: CallForm; readonly file: ScenarioFile } | string | undefined> {
  if (!fragment.startsWith(start)) return undefined
  try {
    if (fragment.length > longest) throw new Error('The link is too long.')
    const linked = parse(fragment.slice(start.length))
    return { call: linked.call, file: await check(linked) }
  } catch (error) {
    return `${sentenceOf(error)} This is the free plan instead.`
  }
}

function parse(text: string): Linked {
  try {
    const { call, yaml } = JSON.parse(decodeURIComponent(text))
    const { method, target, key, body } = call
    const areTexts = [target, key, body, yaml].every(text => typeof text === 'string')
    if (areTexts && methods.includes(method) && new RegExp(`^${targets}$`, 's').test(target))
      return { call: { method, target, key, body }, yaml }
  } catch {
    // It is no JSON, or has no call.
  }
  throw new Error('The link is broken.')
}

/** The scenario of a link. Throws with a sentence if it has mistakes, or keys that somebody may want to keep. */
async function check({ call, yaml }: Linked): Promise<ScenarioFile> {
  const reading = await readYaml(yaml)
  if (!reading.ok) {
    const [first] = reading.complaints
    throw new Error(`The scenario file of the link has a mistake in line ${first?.line}: ${first?.message}.`)
  }
  const file = reading.value
  const allowed = [noKey, ...shippedKeys]
  const keys = [call.key, file.key ?? noKey, ...Object.keys(file.keys ?? {})]
  const other = keys.find(key => !allowed.includes(key))
  if (other === undefined) return file
  throw new Error(
    `A link holds only the keys ${shippedKeys.join(', ')}, and not ${JSON.stringify(other.slice(0, 60))}.`,
  )
}
