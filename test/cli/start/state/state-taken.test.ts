import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adminOf } from '../../../support/admin.ts'
import { directoryWith } from '../../../support/directory.ts'
import { runCommand, serveJson } from '../../../support/run-command.ts'

/** The lock of a server in another container, which has the same process id as many. */
function lockElsewhere(directory: string) {
  const lock = join(directory, 's.json.pet-mock.lock')
  const owner = { pid: 1, host: 'web-2', space: 'elsewhere', born: '', id: randomUUID() }
  const touch = () => writeFileSync(lock, JSON.stringify(owner))
  touch()
  const timer = setInterval(touch, 500)
  const die = () => clearInterval(timer)
  onTestFinished(die)
  return { lock, die }
}

const waits = 's.json has a lock from another container or machine. Waiting up to 5 s for a sign of life.\n'

test('a file that a server in another container uses is refused, and taken when that server is dead', async () => {
  const directory = directoryWith({})
  const { die } = lockElsewhere(directory)
  const refused = await runCommand(['--port', '0', '--state', 's.json'], { cwd: directory })
  expect(refused).toMatchObject({
    code: 3,
    stderr: `${waits}s.json is in use by another pet-mock, process 1 on web-2. Stop it, or use another file. If process 1 on web-2 is not a pet-mock, delete s.json.pet-mock.lock.\n`,
  })
  die()
  const { child, ended } = await serveJson(['--state', 's.json'], { cwd: directory })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: waits })
  expect(readdirSync(directory)).toEqual(['s.json'])
})

test('a server whose directory was made again by another one leaves the file alone, and exits with 1', async () => {
  const parent = directoryWith({ 'mine/x': '', 'tmp/x': '' })
  const [directory, TMPDIR] = [join(parent, 'mine'), join(parent, 'tmp')]
  const file = join(directory, 's.json')
  const { ready, child, ended, untilTold } = await serveJson(['--state', file], { env: { TMPDIR } })
  const ask = adminOf(new URL(ready.admin).host)
  expect((await ask('POST /state/save')).status).toBe(200)
  rmSync(directory, { recursive: true })
  mkdirSync(directory)
  lockElsewhere(directory)
  writeFileSync(file, 'of the other one')
  expect((await ask('POST /pets', { name: 'Rex', categoryId: 1 })).status).toBe(201)
  await untilTold(/no longer saves/)
  expect((await ask('POST /state/save')).json).toMatchObject({ code: 'state_not_saved' })
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  const taken = `Cannot save ${file} (another pet-mock uses it now, process 1 on web-2).`
  expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 1,
    lines: [
      `${taken} The server keeps running, and no longer saves.`,
      expect.stringContaining(`${taken} The whole state is in ${TMPDIR}`),
    ],
  })
  expect(readFileSync(file, 'utf8')).toBe('of the other one')
})
