import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the server may take to stop and to write its report, in milliseconds. */
const patienceMs = 30_000

/** Ends the server of start.js. Its log goes to the log of the job, its report to the summary. */
async function stop() {
  const { STATE_directory: directory, STATE_pid: pid, GITHUB_STEP_SUMMARY: summary } = process.env
  if (directory === undefined || directory === '') return 0
  /** @param {string} name */
  const read = name => (existsSync(join(directory, name)) ? readFileSync(join(directory, name), 'utf8') : '')
  writeFileSync(join(directory, 'stop'), '')
  for (let waited = 0; waited < patienceMs && read('exit-code') === ''; waited += 100) await sleep(100)
  const exitCode = read('exit-code')
  if (exitCode === '' && pid) process.kill(Number(pid))
  process.stdout.write(`::group::pet-mock\n${read('log.txt').trimEnd()}\n::endgroup::\n`)
  if (summary !== undefined) appendFileSync(summary, read('report.md'))
  // A server that did not start has failed the job already.
  if (exitCode === '0' || !existsSync(join(directory, 'ready.json'))) return 0
  const why =
    exitCode === '1' ? 'It has findings: see the summary.' : `It ended with ${exitCode || 'no code'}.`
  process.stdout.write(`::error title=pet-mock::${why}\n`)
  return 1
}

process.exitCode = await stop()
