import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import { listenHttp } from '../../support/listen.ts'
import { requestText, type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { timeOfCall, withEffect } from '../../support/slow-calls.ts'

const longGrace = 60_000
const get = requestText('GET /v1/pets/1')

describe('calls by the thousand on one connection', () => {
  const used = ({ emulator }: TestServer) =>
    emulator.sandboxes.default.keys.get('demo-free')?.windows.day.used

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise(resolve => setTimeout(resolve, 5))
  }

  /** Milliseconds of the processor. */
  async function measured(act: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage()
    await act()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }

  /** What Node alone takes: it shifts each call off two lists, and from Node 24 on, each shift of a long list moves the rest. */
  async function costInNode(count: number): Promise<number> {
    let calls = 0
    let freed: Promise<unknown> | undefined
    const { port } = await listenHttp(({ socket }) => {
      calls += 1
      freed ??= new Promise(resolve => socket.on('close', resolve))
    })
    const client = connect(port, '127.0.0.1')
    return measured(async () => {
      client.write(get.repeat(count))
      await until(() => calls === count)
      client.resetAndDestroy()
      await freed
    })
  }

  test.for<[what: string, then: ThenFields]>([
    ['hanging', { fault: 'hang' }],
    ['delayed', { delay: '10m' }],
  ])('%s: ten times as many take about ten times as long, and are freed', async ([, then], { open }) => {
    const costOf = async (count: number) => {
      const server = await open(withEffect(then))
      const client = await server.connect()
      return measured(async () => {
        client.send(get.repeat(count))
        await until(() => used(server) === count)
        client.reset()
        // A call that was not freed would be waited for.
        await timeOfCall(server)
        await server.door.close(longGrace)
      })
    }
    await costOf(200)
    const few = await costOf(3_000)
    // A quadratic cost is a hundred times as much.
    expect((await costOf(30_000)) - (await costInNode(30_000))).toBeLessThan(20 * few)
  })

  test('other connections get their turn between them', async ({ open }) => {
    const server = await open(withEffect({ fault: 'hang' }))
    const client = await server.connect()
    client.send(get.repeat(30_000))
    await until(() => (used(server) ?? 0) > 0)
    await timeOfCall(server)
    expect(used(server)).toBeLessThan(30_000)
  })
})
