import { expect, it } from 'vitest'
import { createProxyAnswers } from '../../../src/doors/proxy/proxy-answers.ts'

const service = new URL('http://api.test/v1')

it.each<[what: string, answered: readonly string[], passed: readonly string[]]>([
  ['a header', ['X-Any', '1'], ['X-Any', '1']],
  ['no scope of service workers', ['Service-Worker-Allowed', '/', 'X-Any', '1'], ['X-Any', '1']],
  ['none in other letters', ['X-Any', '1', 'service-worker-allowed', '/'], ['X-Any', '1']],
  ['links as they are', ['Link', '<http://api.test/v1/pets>'], ['Link', '<http://api.test/v1/pets>']],
])('the proxy passes on what a service answers: %s', (_, answered, passed) => {
  const answers = createProxyAnswers({ cors: undefined, rewriteLinks: false, onNotice: () => {} }, service)
  expect(answers.edit({ method: 'GET', headers: ['Host', 'localhost'] }, [...answered])).toEqual(passed)
})
