import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/* The command that pet-mock exec runs: it says where the server is, and ends when the job does. */

const [directory = ''] = process.argv.slice(2)
const { PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_ADMIN: admin } = process.env
const ready = join(directory, 'ready.json')
writeFileSync(`${ready}.tmp`, JSON.stringify({ url, key, admin }))
renameSync(`${ready}.tmp`, ready)

/** The longest job of GitHub: five days, in milliseconds. */
const longestMs = 5 * 86_400_000
const everyMs = 200
for (let waited = 0; waited < longestMs && !existsSync(join(directory, 'stop')); waited += everyMs)
  await sleep(everyMs)
