import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Example, installExample } from '../support/example.ts'
import { answers, type Fleet, pidOf, startFleet, stop } from '../support/fleet.ts'
import { findProgram, requireOrSkip } from '../support/requirements.ts'

const nginx = findProgram('/usr/sbin/nginx', 'nginx')
/** How many sandboxes call, and how often each of their two keys does. */
const sandboxes = Array.from({ length: 40 }, (_, index) => `worker-${index}`)
const callsPerKey = 25
const json = { 'Content-Type': 'application/json' }

test('examples/scale-out: each sandbox lives in one replica, and the others notice nothing when one dies', {
  timeout: 300_000,
}, async context => {
  requireOrSkip(context, 'nginx', nginx)
  const example = await installExample('scale-out', context)
  const fleet = await startFleet(example)

  await countsAreExact(fleet)
  await theLoadSpreads(fleet)
  await twoKeysShareASandbox(fleet)
  await allSandboxesAreAskedOneByOne(fleet)
  await aReplicaDiesAndComesBack(fleet, example)
})

async function countsAreExact({ call }: Fleet): Promise<void> {
  const left = await Promise.all(
    sandboxes.flatMap(sandbox =>
      ['demo-free', 'demo-pro'].map(async key => {
        let left = Number.NaN
        for (let count = 0; count < callsPerKey; count += 1) {
          const { headers } = await call('/v1/pets?limit=1', `${key}+${sandbox}`)
          left = Number(headers.get('x-ratelimit-remaining'))
        }
        return left
      }),
    ),
  )
  expect(left).toEqual(sandboxes.flatMap(() => [60 - callsPerKey, 300 - callsPerKey]))
}

async function theLoadSpreads({ ports, sandboxesOf }: Fleet): Promise<void> {
  const here = await Promise.all(ports.map(sandboxesOf))
  const workers = here.map(names => names.filter(name => name.startsWith('worker-')))
  expect(workers.flat().sort()).toEqual([...sandboxes].sort())
  for (const names of workers) expect(names.length).toBeGreaterThan(sandboxes.length / 5)
}

async function twoKeysShareASandbox({ origin, call }: Fleet): Promise<void> {
  const created = await call('/v1/pets', 'demo-free+shared', {
    method: 'POST',
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  })
  const { id } = (await created.json()) as { id: number }
  const read = await call(`/v1/pets/${id}`, 'demo-pro+shared')
  expect(await read.json()).toMatchObject({ id, name: 'Rex' })

  const to = '2031-05-05T05:05:00Z'
  const moved = await fetch(`${origin}/__admin/clock/freeze?sandbox=shared`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ at: to }),
  })
  expect(moved.status).toBe(200)
  for (const key of ['demo-free+shared', 'demo-pro+shared']) {
    const { headers } = await call('/v1/pets?limit=1', key)
    expect(new Date(headers.get('date') ?? '').toISOString()).toBe('2031-05-05T05:05:00.000Z')
  }
}

async function allSandboxesAreAskedOneByOne({ origin, ports, sandboxesOf }: Fleet): Promise<void> {
  const refused = await fetch(`${origin}/__admin/reset?sandbox=*`, { method: 'POST', headers: json })
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      code: 'ask_each_replica',
      message: 'This concerns all sandboxes. Send it to each replica.',
    },
  ])
  for (const port of ports) {
    const reset = await fetch(`http://127.0.0.1:${port}/__admin/reset?sandbox=*`, {
      method: 'POST',
      headers: json,
    })
    expect(reset.status).toBe(200)
    for (const name of await sandboxesOf(port)) {
      const listed = await fetch(`http://127.0.0.1:${port}/__admin/requests?sandbox=${name}`)
      expect(await listed.json()).toMatchObject({ requests: [] })
    }
  }
}

/** On how many calls the only rule acted. */
async function actedOf(url: string): Promise<number | undefined> {
  const { rules } = (await (await fetch(url)).json()) as { rules: readonly { acted: number }[] }
  return rules[0]?.acted
}

async function aReplicaDiesAndComesBack(fleet: Fleet, { path }: Example): Promise<void> {
  const { call, homeOf, ports } = fleet
  const post = (key: string) =>
    call('/v1/pets', key, { method: 'POST', body: JSON.stringify({ name: 'Rex', categoryId: 1 }) })
  const first = ports[0]
  const homes = await Promise.all(sandboxes.map(async name => [name, await homeOf(name)] as const))
  const lost = homes.find(([, home]) => home === first)?.[0] ?? ''
  const spared = homes.find(([, home]) => home !== first)?.[0] ?? ''
  const saved = (await (await post(`demo-free+${lost}`)).json()) as { id: number }
  const file = join(path, 'state', `${first}.json`)
  await expect
    .poll(() => readFileSync(file, 'utf8').includes(`"${lost}"`), { timeout: 100_000, interval: 200 })
    .toBe(true)
  await fetch(`http://127.0.0.1:${first}/__admin/state/save`, { method: 'POST', headers: json })

  const slow = JSON.stringify({ name: 'slow', then: { delay: '60s' } })
  const added = await call(`/__admin/rules?sandbox=${lost}`, '', { method: 'POST', body: slow })
  expect(added.status).toBe(201)
  const running = [
    post(`demo-free+${lost}`),
    call('/v1/pets/1', `demo-free+${lost}`, { method: 'PATCH', body: '{}' }),
    call('/v1/pets?limit=1', `demo-free+${lost}`),
  ]
  await expect.poll(() => actedOf(`http://127.0.0.1:${first}/__admin/rules?sandbox=${lost}`)).toBe(3)

  process.kill(pidOf(`--port ${first} --trust-proxy`), 'SIGKILL')
  // nginx sends the GET again, to the other replica, but neither POST nor PATCH.
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([502, 502, 200])
  const listed = await fetch(`http://127.0.0.1:${ports[1]}/__admin/requests?sandbox=${lost}`)
  const { requests } = (await listed.json()) as { requests: readonly { method: string }[] }
  expect(requests.map(({ method }) => method)).toEqual(['GET'])
  // The lost sandbox starts anew in the other replica. The counts of the other sandboxes go on.
  const before = await call('/v1/pets?limit=1', `demo-pro+${spared}`)
  const left = Number(before.headers.get('x-ratelimit-remaining'))
  const anew = await call('/v1/pets?limit=1', `demo-pro+${lost}`)
  expect([anew.status, anew.headers.get('x-ratelimit-remaining')]).toEqual([200, '299'])
  expect((await call(`/v1/pets/${saved.id}`, `demo-pro+${lost}`)).status).toBe(404)
  for (let count = 1; count <= 20; count += 1) {
    const { status, headers } = await call('/v1/pets?limit=1', `demo-pro+${spared}`)
    expect([status, Number(headers.get('x-ratelimit-remaining'))]).toEqual([200, left - count])
  }

  const command = `node_modules/.bin/pet-mock --port ${first} --trust-proxy --log-format silent --state state/${first}.json`
  const [program = '', ...args] = command.split(' ')
  const again = spawn(program, args, { cwd: path, stdio: 'ignore' })
  onTestFinished(() => stop(again))
  await answers(`http://127.0.0.1:${first}/__admin/health`)
  await expect
    .poll(async () => (await call(`/v1/pets/${saved.id}`, `demo-pro+${lost}`)).status, {
      timeout: 100_000,
      interval: 500,
    })
    .toBe(200)
}
