import { expect, test } from 'vitest'
import { installExample } from '../support/example.ts'

test('examples/node-client: its types come from the contract, its tests pass, it waits for a server', {
  timeout: 300_000,
}, async context => {
  const example = await installExample('node-client', context)
  const tested = await example.run('npm', 'test')
  expect(tested.output).toMatch(/^. pass 8\n. fail 0$/m)
  expect(tested.code).toBe(0)
  const started = await example.run('npm', 'start')
  expect(started.output).toMatch(/^added Rex, number 101\n66 available\n12 pending\n22 sold\n1 no status$/m)
  expect(started.code).toBe(0)
})
