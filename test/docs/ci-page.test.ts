import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'
import { serveJson } from '../support/run-command.ts'

needPosix('shell')

interface Keys {
  readonly keys: readonly { readonly key: string; readonly used: { readonly minute: number } }[]
}

test('docs/ci.md resets all sandboxes of each replica', async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  const [, loop = ''] = /^```sh\n(for port[\s\S]*?)^```$/m.exec(readFileSync('docs/ci.md', 'utf8')) ?? []
  const replicas = [await serveJson([]), await serveJson([])]
  const names = ['default', 'worker-3']
  const usedCalls = async () => {
    const urls = replicas.flatMap(({ ready }) => names.map(name => `${ready.admin}/keys?sandbox=${name}`))
    const lists = await Promise.all(urls.map(async url => (await (await fetch(url)).json()) as Keys))
    return lists.map(({ keys }) => keys.find(({ key }) => key === 'demo-free')?.used.minute)
  }
  for (const { ready } of replicas)
    for (const key of ['demo-free', 'demo-free+worker-3'])
      await fetch(`${ready.url}/pets`, { headers: { Authorization: `Bearer ${key}` } })
  expect(await usedCalls()).toEqual([1, 1, 1, 1])
  const ports = replicas.map(({ ready }) => new URL(ready.url).port).join(' ')
  expect(spawnSync('sh', ['-c', loop.replace('7401 7402', ports)]).status).toBe(0)
  expect(await usedCalls()).toEqual([0, 0, 0, 0])
})
