import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../../../test/support/requirements.ts'
import type { Kind } from './cells.ts'

const clientFile = (name: string) => fileURLToPath(new URL(`clients/${name}`, import.meta.url))

/** The words that start a client's program, by language. One that is not on this machine is missing. */
export type Programs = Readonly<Partial<Record<Language, readonly string[]>>>
type Language = 'node' | 'python' | 'requests' | 'java' | 'curl'

/** What a language needs, for the message that it is missing. */
export const needs: Readonly<Record<Language, string>> = {
  node: 'Node',
  python: 'Python 3',
  requests: "Python 3 with the package requests (Debian's python3-requests)",
  java: 'JDK of version 17 or newer (Debian: default-jdk-headless)',
  curl: 'curl and a POSIX shell',
}

const languages: Readonly<Record<Kind, Language>> = {
  fetch: 'node',
  'fetch-unread': 'node',
  undici: 'node',
  agent: 'node',
  axios: 'node',
  got: 'node',
  'requests-session': 'requests',
  requests: 'requests',
  urllib: 'python',
  java: 'java',
  curl: 'curl',
}

export function languageOf(kind: Kind): Language {
  return languages[kind]
}

export function wordsOfProgram(kind: Kind, programs: Programs): readonly string[] {
  const words = programs[languageOf(kind)]
  if (words === undefined) throw new Error(`no ${needs[languageOf(kind)]}`)
  return words
}

/** Looks for the programs of all clients. Java's is compiled once, into the folder. */
export function findPrograms(folder: string): Programs {
  const shell = findProgram('sh')
  const curl = findProgram('curl')
  const python = findProgram('python3')
  // Debian's packages are for its own Python, and another one may come first on the path.
  const withRequests = ['/usr/bin/python3', python].find(one => one !== undefined && hasRequests(one))
  const java = compileJava(folder)
  return {
    node: [process.execPath, clientFile('client.mjs')],
    ...(python !== undefined && { python: [python, clientFile('client.py')] }),
    ...(withRequests !== undefined && { requests: [withRequests, clientFile('client.py')] }),
    ...(java !== undefined && { java }),
    ...(shell !== undefined && curl !== undefined && { curl: [shell, clientFile('curl.sh')] }),
  }
}

function hasRequests(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function compileJava(folder: string): readonly string[] | undefined {
  const [java, compiler] = [findProgram('java'), findProgram('javac')]
  if (java === undefined || compiler === undefined) return undefined
  copyFileSync(clientFile('Client.java'), join(folder, 'Client.java'))
  try {
    execFileSync(compiler, ['--release', '17', '-d', folder, join(folder, 'Client.java')], { stdio: 'pipe' })
  } catch (error) {
    // A compiler that knows no version 17 is too old.
    if (/release version 17 not supported|invalid flag/.test(String(error))) return undefined
    throw error
  }
  return [java, '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder, 'Client']
}
