import { expect, it } from 'vitest'
import { directoryWith } from '../../support/directory.ts'
import { listenHttp } from '../../support/listen.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

it('is 0 while a server is up, found by itself or by its URL, and 1 afterwards', async () => {
  const env = { TMPDIR: directoryWith({}) }
  const { ready, child, ended } = await serveJson([], { env })
  await expect
    .poll(async () => (await runCommand(['health'], { env })).stdout)
    .toBe(`up ${ready.admin}  free-plan\n`)
  const json = await runCommand(['health', '--json', '--url', ready.url])
  expect(json.code).toBe(0)
  expect(JSON.parse(json.stdout)).toMatchObject({ status: 'ok', name: 'pet-mock', scenario: 'free-plan' })
  child.kill()
  await ended
  expect(await runCommand(['health'], { env })).toMatchObject({ code: 1, stdout: '' })
  expect(await runCommand(['health', '--url', ready.url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No server can be reached'),
  })
})

it('needs no token, of a server that other machines can reach, and whose admin plane is closed', async () => {
  const env = { TMPDIR: directoryWith({}) }
  const server = await serveJson(['--host', '0.0.0.0'], { env })
  await server.untilTold(/^The admin plane is closed, because other machines can reach this server\./)
  const { code, stdout } = await runCommand(['health', '--json', '--url', server.ready.url], { env })
  expect(code).toBe(0)
  expect(Object.keys(JSON.parse(stdout))).toEqual(['status', 'name', 'start'])
})

it('is 1 for a server that is no pet-mock, and 2 for wrong usage', async () => {
  const { origin } = await listenHttp((_request, response) => response.end())
  const { code, stderr } = await runCommand(['health', '--url', origin])
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not a pet-mock')])
  expect((await runCommand(['health', '--token'])).code).toBe(2)
})
