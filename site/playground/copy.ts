import { copyForms } from '../../src/dashboard/copy/copy-forms.ts'
import { linkTo } from './link.ts'
import { type CallForm, form, isShipped, mock, noKey, running, shown, situation } from './mock.ts'

/** Where `npx pet-mock` serves. */
const origin = 'http://127.0.0.1:7387'

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

/** A test of vitest that makes the call, and expects the status that this page has shown. */
function writeTest({ method, target, key, body }: CallForm): string {
  const isOwn = !isShipped(running.value)
  const scenario = isOwn ? './scenario.yaml' : running.value
  const bearer = key === mock.key ? `\`Bearer \${petMock.key}\`` : JSON.stringify(`Bearer ${key}`)
  const headers = [
    ...(key === noKey ? [] : [`Authorization: ${bearer}`]),
    ...(body === '' ? [] : ["'Content-Type': 'application/json'"]),
  ]
  const fields = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === '' ? [] : [`body: ${JSON.stringify(body)}`]),
  ]
  return `${isOwn ? '// scenario.yaml is the copy of "scenario file".\n' : ''}import { expect } from 'vitest'
import { test as withPetMock } from 'pet-mock/vitest'

const test = withPetMock.extend({ petMockScenario: ${JSON.stringify(scenario)} })

test(${JSON.stringify(`${method} ${target}`)}, async ({ petMock }) => {
  const response = await fetch(new URL(${JSON.stringify(target)}, petMock.url), {
    ${fields.join(',\n    ')},
  })
  expect(response.status).toBe(${shown.value?.status ?? 200})
})
`
}

/** The forms in which the call, or the situation, can be taken away. */
export const forms: readonly (readonly [name: string, write: () => string | Promise<string>])[] = [
  ...copyForms.map(({ name, write }) => [name, () => write(callToCopy(form.value))] as const),
  ['test', () => writeTest(form.value)],
  ['scenario file', situation],
  ['link', async () => linkTo({ call: form.value, yaml: await situation() })],
]
