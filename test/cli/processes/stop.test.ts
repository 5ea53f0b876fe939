import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { listenHttp } from '../../support/listen.ts'
import { machine } from '../../support/machine.ts'
import { needPosix } from '../../support/requirements.ts'

needPosix('signals')

const filesOf = (directory: string) => join(directory, `pet-mock-${process.getuid?.() ?? 'user'}`)

/** The run file of a server, which it writes when it is ready. */
async function runFileOf(directory: string, child: ChildProcess) {
  const path = join(filesOf(directory), `${child.pid}.json`)
  // The test's own end kills it.
  while (!existsSync(path) && child.exitCode === null && child.signalCode === null) await wait(10)
  return { path, file: JSON.parse(readFileSync(path, 'utf8')) }
}

/** A process that is no pet-mock. */
function bystander() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

it('ps lists the servers, and stop stops one or all', async () => {
  const { run, serve, runFiles } = machine()
  expect(await run('ps')).toMatchObject({ code: 0, stdout: 'No pet-mock runs on this machine.\n' })
  expect(await run('stop')).toMatchObject({ code: 3, stderr: 'No pet-mock runs on this machine.\n' })
  expect(await run('stop --all')).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const [first, second, third] = [await serve(), await serve('-s', 'ban'), await serve()]
  const shown = await run('ps')
  expect(shown.stdout.split('\n')).toContain(`${second.ready.url}  ban        process ${second.child.pid}`)
  const { servers } = JSON.parse((await run('ps --json')).stdout)
  expect(servers).toContainEqual({
    pid: first.child.pid,
    url: first.ready.url,
    admin: first.ready.admin,
    start: expect.stringMatching(/^[0-9a-f-]{13}$/),
    scenario: 'free-plan',
  })
  const several = await run('stop')
  expect(several).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^3 servers run .*--all:\n {2}--url /),
  })
  expect(await run(`stop --port ${new URL(second.ready.url).port}`)).toMatchObject({
    code: 0,
    stdout: `stopped ${second.ready.url}  ban, process ${second.child.pid}\n`,
    stderr: '',
  })
  expect(await second.ended).toMatchObject({ code: 0 })
  const rest = JSON.parse((await run('stop --all --json')).stdout)
  expect(rest.stopped.map(({ pid }: { pid: number }) => pid).sort()).toEqual(
    [first.child.pid, third.child.pid].sort(),
  )
  expect([(await first.ended).code, (await third.ended).code]).toEqual([0, 0])
  expect(runFiles()).toEqual([])
})

it('stop spares a process that a stale file names, and removes the file', async () => {
  const { run, serve, directory, runFiles } = machine()
  const { ready, child, ended } = await serve()
  const { file } = await runFileOf(directory, child)
  const other = bystander()
  // As after a kill: another process has the pid, another server the port.
  const stale = { ...file, pid: other.pid, start: '00000000-0000' }
  writeFileSync(join(filesOf(directory), `${other.pid}.json`), JSON.stringify(stale))
  expect((await run('stop')).stdout).toBe(`stopped ${ready.url}  free-plan, process ${child.pid}\n`)
  expect((await ended).code).toBe(0)
  expect([other.exitCode, other.signalCode]).toEqual([null, null])
  expect(runFiles()).toEqual([])
})

it('stop reads no file whose process id is none, or is not that of its name', async () => {
  const { run, serve, directory } = machine()
  const { ready, child } = await serve()
  const { path, file } = await runFileOf(directory, child)
  const other = bystander()
  rmSync(path)
  // -1 stands for all processes of the user, 0 for those of the terminal. No process has this large one.
  for (const pid of [other.pid, 2 ** 40]) {
    const forged = { ...file, pid, owner: undefined }
    writeFileSync(join(filesOf(directory), '1.json'), JSON.stringify(forged))
    expect(await run('stop')).toMatchObject({ code: 3, stderr: 'No pet-mock runs on this machine.\n' })
  }
  for (const pid of [-1, 0]) {
    writeFileSync(join(filesOf(directory), '0.json'), JSON.stringify({ ...file, pid, owner: undefined }))
    expect(await run('ps')).toMatchObject({ code: 0, stdout: 'No pet-mock runs on this machine.\n' })
  }
  expect([other.exitCode, (await fetch(ready.url)).status]).toEqual([null, 401])
})

it('stop spares a process of another container', async () => {
  const { run, serve, directory } = machine()
  const { ready, child } = await serve()
  const { path, file } = await runFileOf(directory, child)
  const other = bystander()
  const space = `${file.owner.space} elsewhere`
  const foreign = { ...file, pid: other.pid, owner: { ...file.owner, space } }
  rmSync(path)
  writeFileSync(join(filesOf(directory), `${other.pid}.json`), JSON.stringify(foreign))
  expect(await run('stop')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/was not stopped: process \d+ is another one/),
  })
  expect([other.exitCode, (await fetch(ready.url)).status]).toEqual([null, 401])
})

it('stop says what it cannot stop', async () => {
  const { run, directory } = machine()
  const { port } = await listenHttp((_request, response) => response.end('Hello'))
  const wrong = (code: number, stderr: RegExp) => ({
    code,
    stdout: '',
    stderr: expect.stringMatching(stderr),
  })
  expect(await run(`stop --port ${port}`)).toEqual(expect.objectContaining(wrong(3, /^No pet-mock of this/)))
  expect(await run('stop --all --port 1')).toMatchObject(wrong(2, /^Give --all or one server/))
  // A server that another machine or container announced.
  const elsewhere = machine()
  const { ready } = await elsewhere.serve()
  expect(await run(`stop --url ${ready.url}`)).toMatchObject(wrong(3, /announced it\.\n$/))
  // A file of an earlier version names no run.
  mkdirSync(filesOf(directory), { mode: 0o700, recursive: true })
  const old = JSON.stringify({ pid: process.pid, admin: ready.admin })
  writeFileSync(join(filesOf(directory), `${process.pid}.json`), old)
  expect(await run('stop')).toMatchObject(wrong(1, /^http:\S+ was not stopped: it does not name the run/))
})
