import { sep } from 'node:path'

/** The project file. `paths` are relative to it. */
export function projectText(
  schema: string,
  paths: Readonly<Record<'scenario' | 'fixtures', string>>,
): string {
  return `# yaml-language-server: $schema=${schema}
# The flags of pet-mock in this project. pet-mock --help lists all.
scenario: ${inYaml(paths.scenario)}
fixtures: ${inYaml(paths.fixtures)}
`
}

function inYaml(native: string): string {
  const path = native.split(sep).join('/')
  return /^[\w/][\w./-]*$/.test(path) ? path : JSON.stringify(path)
}

export function scenarioText(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
title: My situation
description: Two calls are left in this minute. The third gets 429 until the window resets.

# The shipped scenario to start from: pet-mock scenarios list shows all.
extends: free-plan
key: demo-free
keys:
  demo-free: { used: { minute: 58, day: 300 } }
pets: { count: 30, gone: [13] }

# The steps of a client: pet-mock scenarios play runs and checks them.
walkthrough:
  - call: GET /v1/pets
    repeat: 2
    expect: { status: 200, headers: { X-RateLimit-Remaining: 0 } }
  - call: GET /v1/pets
    expect: { status: 429, headers: { Retry-After: 60 }, body: { code: rate_limit_exceeded } }
  - advance: 60s
  - call: POST /v1/pets
    body: { name: Rex, categoryId: 1, status: available }
    expect: { status: 201, body: { id: 31, name: Rex } }
`
}
