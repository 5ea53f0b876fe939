import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminOf } from '../../../support/admin.ts'
import { directoryWith } from '../../../support/directory.ts'
import { needPosix } from '../../../support/requirements.ts'
import { runCommand, serveJson } from '../../../support/run-command.ts'

needPosix('signals')

/** A server with a state file in a directory of its own, and another directory for temporary files. */
async function serve(shell?: string) {
  const parent = directoryWith({ 'tmp/x': '' })
  const [directory, TMPDIR] = [join(parent, 'mine'), join(parent, 'tmp')]
  mkdirSync(directory)
  const options = { env: { TMPDIR }, ...(shell !== undefined && { shell }) }
  const file = join(directory, 's.json')
  const { ready, child, ended } = await serveJson(['--state', file], options)
  const ask = adminOf(new URL(ready.admin).host)
  const addPet = async (name: string) =>
    expect((await ask('POST /pets', { name, categoryId: 1 })).status).toBe(201)
  const untilSaved = async (name: string) => {
    while (!existsSync(file) || !readFileSync(file, 'utf8').includes(name))
      await new Promise(resolve => setTimeout(resolve, 20))
  }
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  const copies = () =>
    readdirSync(TMPDIR)
      .filter(name => name.startsWith('pet-mock-state-'))
      .flatMap(name => readdirSync(join(TMPDIR, name)).map(copy => join(TMPDIR, name, copy)))
  return { directory, file, addPet, untilSaved, stop, copies }
}

it('whose disk is gone at the end writes the state elsewhere, says where, and exits with 1', async () => {
  const { directory, file, addPet, untilSaved, stop, copies } = await serve()
  await addPet('Rex')
  await untilSaved('Rex')
  rmSync(directory, { recursive: true })
  await addPet('Tom')
  const { code, stderr } = await stop()
  const [copy = ''] = copies()
  expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
    code: 1,
    last: `Cannot save ${file} (no such file). The whole state is in ${copy} instead. To continue from it, move it, or start with --state ${copy}.`,
  })
  mkdirSync(directory)
  renameSync(copy, file)
  expect(readFileSync(file, 'utf8')).toMatch(/"Rex"[\s\S]*"Tom"/)
  const again = await serveJson(['--state', file])
  again.child.kill('SIGTERM')
  expect(await again.ended).toMatchObject({
    code: 0,
    stderr: `Restored from ${file}: free-plan, 102 pets.\n`,
  })
})

it('that may not write as much anywhere keeps the last file, says what is lost, and exits with 1', async () => {
  // Blocks of 512 or 1024 bytes, as the shell has it: every disk is full at 2 or 4 MB.
  const { directory, file, addPet, untilSaved, stop, copies } = await serve('ulimit -f 4000')
  await addPet('Rex')
  await untilSaved('Rex')
  for (let count = 0; count < 6; count += 1) await addPet(`${count}${'x'.repeat(900_000)}`)
  const { code, stderr } = await stop()
  expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
    code: 1,
    last: expect.stringMatching(
      /^Cannot save \S+s\.json \(the file would be too large\), nor a copy in \S+tmp \(the file would be too large\)\. Changes since 2\S+Z are lost\.$/,
    ),
  })
  expect(readdirSync(directory)).toEqual(['s.json'])
  expect(copies()).toEqual([])
  // On a busy machine, the first of the large pets may be saved before the file is too large. The last one cannot.
  expect(readFileSync(file, 'utf8')).toMatch(/"Rex"(?![\s\S]*"5x)/)
  const again = await serveJson(['--state', file])
  again.child.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Restored from /) })
})

it.each([
  [1, 0],
  [7, 7],
])('that exec started exits with %d after a command that exits with %d', async (wanted, own) => {
  const parent = directoryWith({ 'tmp/x': '', 'mine/x': '' })
  const file = join(parent, 'mine', 's.json')
  const program = `
    const { existsSync, rmSync } = require('node:fs')
    const look = setInterval(async () => {
      if (!existsSync(${JSON.stringify(file)})) return
      clearInterval(look)
      rmSync(${JSON.stringify(join(parent, 'mine'))}, { recursive: true })
      await fetch(process.env.PET_MOCK_URL + '/pets')
      process.exitCode = ${own}
    }, 20)`
  const options = { env: { TMPDIR: join(parent, 'tmp') } }
  const { code, stderr } = await runCommand(['exec', '--state', file, '--', 'node', '-e', program], options)
  expect([code, stderr]).toEqual([wanted, expect.stringContaining('The whole state is in ')])
})
