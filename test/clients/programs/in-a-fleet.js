/*
 * One instance of a client. Once all have started, it makes four calls at a time of its own, and repeats a refused one after
 * Retry-After. With the word `shared`, all instances keep one wait, in a file. With `hasty`, it does not wait. With `crash`,
 * `fail` or `hang`, instance 7 does so. With `astray`, instance 2 calls the address of instance 1.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const { PET_MOCK_URL: url = '', PET_MOCK_KEY: key, PET_MOCK_INSTANCE: number = '1' } = process.env
const [mode, folder] = process.argv.slice(2)
const waitFile = `${folder}/wait`
const addressFile = `${folder}/address-of-1`
const startFile = `${folder}/start`

const isAstray = mode === 'astray' && number === '2'
if (number === '1') writeFileSync(addressFile, url)
// The first call of a process takes longer.
await fetch('data:,')
try {
  writeFileSync(startFile, `${Date.now() + 1_500}`, { flag: 'wx' })
} catch {
  // Another instance was first.
}
await sleep(Number(readFileSync(startFile)) - Date.now() + Number(number) * 75)
if (number === '7' && mode === 'crash') process.abort()
if (number === '7' && mode === 'hang') await sleep(3_600_000)
if (number === '7' && mode === 'fail') {
  process.stdout.write('no pets today\n')
  process.exit(3)
}

const pets = `${isAstray ? readFileSync(addressFile, 'utf8') : url}/pets`
const sharedWait = () => (existsSync(waitFile) ? Number(readFileSync(waitFile)) : 0)

for (let made = 0; made < 4; ) {
  while (mode === 'shared' && sharedWait() > Date.now()) await sleep(sharedWait() - Date.now())
  const response = await fetch(pets, { headers: { Authorization: `Bearer ${key}` } })
  await response.text()
  const waitMs = Number(response.headers.get('retry-after')) * 1_000
  if (response.ok) made += 1
  else if (mode === 'shared') writeFileSync(waitFile, `${Date.now() + waitMs}`)
  await sleep(response.ok ? 900 : mode === 'hasty' ? 300 : waitMs)
}
// The next run has its own start.
rmSync(startFile, { force: true })
