import { copyForms } from '../../src/dashboard/copy/copy-forms.ts'
import { fetchFrom } from '../../src/doors/fetch/fetch-from.ts'
import type { ScenarioChoice } from '../../src/library/testing/pet-mock.ts'
import { settleChoice, startEmulator } from '../../src/library/testing/start-emulator.ts'
import { linkTo } from './link.ts'
import {
  type CallForm,
  call,
  initOf,
  isShipped,
  mock,
  noKey,
  origin,
  readYaml,
  running,
  shown,
  situation,
} from './mock.ts'

function callToCopy({ method, target, key, body }: CallForm) {
  return {
    origin,
    method,
    target,
    headers: body === '' ? [] : [['Content-Type', 'application/json'] as const],
    authorization: key === noKey ? undefined : `Bearer ${key}`,
    body: body === '' ? null : body,
    cutFrom: null,
  }
}

/** The status that a call gets in a scenario that begins with it. */
async function statusIn(scenario: ScenarioChoice, made: CallForm): Promise<number> {
  const { emulator } = startEmulator(settleChoice(scenario, 'fetch'), undefined, 'fetch', {})
  return (await fetchFrom(emulator.handle)(origin + made.target, initOf(made))).status
}

/** The name of the scenario, if the call gets the status on the page also as the first one, else the present situation. */
async function scenarioOfTest(made: CallForm) {
  const { value: name } = running
  if (isShipped(name)) {
    const status = await statusIn(name, made)
    if (shown.value?.call === made && shown.value.status === status) return { scenario: name, status }
  }
  const reading = await readYaml(await situation())
  if (!reading.ok) throw new Error(reading.complaints[0]?.message)
  return { scenario: reading.value, status: await statusIn(reading.value, made) }
}

/** A test of vitest that makes the call, and expects the status that it gets. */
async function writeTest(made: CallForm): Promise<string> {
  const { scenario, status } = await scenarioOfTest(made)
  const { method, target, key } = made
  const { headers, ...others } = initOf(made)
  const bearer = key === mock.key ? `\`Bearer \${petMock.key}\`` : undefined
  const init = JSON.stringify({ ...(method !== 'GET' && others), headers }, undefined, 2)
  const shownInit = bearer === undefined ? init : init.replace(JSON.stringify(`Bearer ${key}`), bearer)
  return `import { expect } from 'vitest'
import { test as withPetMock } from 'pet-mock/vitest'

const test = withPetMock.extend({ petMockScenario: ${JSON.stringify(scenario, undefined, 2)} })

test(${JSON.stringify(`${method} ${target}`)}, async ({ petMock }) => {
  const response = await fetch(new URL(${JSON.stringify(target)}, petMock.url), ${shownInit.replaceAll('\n', '\n  ')})
  expect(response.status).toBe(${status})
})
`
}

/** The forms in which the call, or the situation, can be taken away. */
export const forms: readonly (readonly [name: string, write: () => string | Promise<string>])[] = [
  ...copyForms.map(({ name, write }) => [name, () => write(callToCopy(call.value))] as const),
  ['test', () => writeTest(call.value)],
  ['scenario file', situation],
  ['link', async () => linkTo({ call: call.value, yaml: await situation() })],
]
