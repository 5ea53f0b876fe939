import { computed, signal } from '@preact/signals'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import type { ShippedScenario } from '../../src/generated/scenario-name.ts'
import { inProcess } from '../../src/library/testing/in-process.ts'
import type { ScenarioChoice } from '../../src/library/testing/pet-mock.ts'
import { readNoFile } from '../../src/library/testing/scenario-keys.ts'

/** Where `npx pet-mock` serves. */
export const origin = 'http://127.0.0.1:7387'

/** The pet-mock of this page, for as long as the page is open, and how its dashboard reaches it. */
export const { mock, near } = inProcess({}, readNoFile, origin)

/** The keys of the shipped fixtures. A link may hold no others. */
export const shippedKeys = Object.keys(shippedFixtures.keys)
export const noKey = '(none)'
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
/** A path of this server: `//` and `/\\` begin the address of another one. */
export const targets = '/(?![\\/\\\\]).*'

/** A call as the form has it. */
export interface CallForm {
  readonly method: string
  readonly target: string
  readonly key: string
  readonly body: string
}

export interface Shown {
  readonly call: CallForm
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** Why: the sentences of the journal. They come after the response. */
  readonly reasons: readonly string[]
}

export const firstCall: CallForm = { method: 'GET', target: '/v1/pets?limit=2', key: 'demo-free', body: '' }
export const form = signal(firstCall)
export const hasBody = computed(() => !/^(?:GET|HEAD)$/.test(form.value.method))
/** The call of the form. What was typed as a body stays in the form, for a method that has one. */
export const call = computed(() => (hasBody.value ? form.value : { ...form.value, body: '' }))
export const isSending = signal(false)
export const shown = signal<Shown | undefined>(undefined)
/** The scenario that runs: the name of a shipped one, or what is in the editor. */
export const running = signal<string>('free-plan')
/** The clock of the default sandbox, once something has moved or shown it. */
export const clock = signal<Date | undefined>(undefined)
/** What went wrong outside of the API, in a sentence. */
export const trouble = signal('')

export function isShipped(name: string | undefined): name is ShippedScenario {
  return shippedScenarios.has(name ?? '')
}

export const ownScenario = 'Your own'

export async function useScenario(choice: ScenarioChoice): Promise<void> {
  await mock.scenario.use(choice)
  running.value = typeof choice === 'string' ? choice : ownScenario
  form.value = { ...form.value, key: mock.key }
  shown.value = undefined
  await readClock()
}

export async function readClock(): Promise<void> {
  clock.value = await mock.clock.now()
}

export function initOf({ method, key, body }: CallForm) {
  const headers = {
    ...(key !== noKey && { Authorization: `Bearer ${key}` }),
    ...(body !== '' && { 'Content-Type': 'application/json' }),
  }
  return { method, headers, ...(body !== '' && { body }) }
}

/** Makes a call some times, one after the other, and shows the last response. */
export async function send(call: CallForm, times = 1): Promise<void> {
  isSending.value = true
  try {
    for (let count = 0; count < times; count += 1) {
      const response = await near.callApi(call.target, initOf(call))
      const body = await response.text()
      const headers = [...response.headers]
      shown.value = { call, status: response.status, headers, body: indent(body), reasons: [] }
    }
    trouble.value = ''
  } catch (error) {
    shown.value = undefined
    trouble.value = `The call got no response: ${sentenceOf(error)}`
  }
  isSending.value = false
}

/** Says why the shown response is as it is. The journal is a part of the plane, which loads now. */
export async function explain(): Promise<void> {
  const { value: response } = shown
  const [last] = await mock.requests.list({ limit: 1 })
  if (last === undefined || response === undefined) return
  const { explanation } = await mock.requests.explain(last.id)
  // Another response may have come meanwhile.
  if (shown.value === response) shown.value = { ...response, reasons: explanation.sentences }
  await readClock()
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}

/** The running situation as a scenario file: clock, counts, pets and rules as they are. */
export async function situation(): Promise<string> {
  const { status, text } = await near.send('GET', '/situation.yaml', undefined)
  if (status === 200) return text
  throw new Error(JSON.parse(text).message)
}

/** Reads a scenario file, or lists its mistakes. */
export async function readYaml(text: string) {
  const { readScenario } = await import('../../src/control/scenario/read/read.ts')
  const readText = async (path: string) => {
    if (path === 'scenario.yaml') return text
    throw new Error('This page has no other files: extend a shipped scenario.')
  }
  return readScenario('scenario.yaml', {
    readText,
    fixtures: shippedFixtures,
    shipped: shippedScenarios,
    door: 'fetch',
  })
}
