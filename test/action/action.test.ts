import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkAction, checkWorkflow } from '../support/check-workflow.ts'
import { directoryWith } from '../support/directory.ts'
import { installPackage } from '../support/package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const installed = installPackage()
afterAll(installed.remove)

/** The files through which GitHub and the steps of a job talk. */
const fileNames = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'] as const

/** Runs a step of a job as GitHub's runner does: inputs and state in the environment, results in files. */
function openJob(workspace: string, inputs: Readonly<Record<string, string>>) {
  const folder = directoryWith(Object.fromEntries(fileNames.map(name => [name, ''])))
  const read = (name: (typeof fileNames)[number]) => {
    const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n')
    return Object.fromEntries(lines.filter(line => line !== '').map(line => line.split(/=(.*)/s).slice(0, 2)))
  }
  const declared: Readonly<Record<string, { readonly default?: string }>> = action.inputs
  const given = Object.entries(declared).map(
    ([name, { default: usual = '' }]) => [name, inputs[name] ?? usual] as const,
  )
  const run = async (program: string, state: Readonly<Record<string, string>>) => {
    const env = {
      ...installed.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: folder,
      ...Object.fromEntries(fileNames.map(name => [name, join(folder, name)])),
      ...Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      ...Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value])),
    }
    const child = spawn(process.execPath, [join(root, program)], { cwd: workspace, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    const [code] = await once(child, 'close')
    return { code, output }
  }
  return {
    start: () => run(action.runs.main, {}),
    stop: () => run(action.runs.post, read('GITHUB_STATE')),
    outputs: () => read('GITHUB_OUTPUT'),
    variables: () => read('GITHUB_ENV'),
    summary: () => readFileSync(join(folder, 'GITHUB_STEP_SUMMARY'), 'utf8'),
  }
}

describe('action.yml', () => {
  it('is one that GitHub reads, and a wrong one is found', async () => {
    expect(await checkAction(join(root, 'action.yml'))).toEqual([])
    const wrong = directoryWith({
      'action.yml': 'name: a\ndescription: b\nruns: { using: node24, post: x.js }\n',
    })
    expect(await checkAction(join(wrong, 'action.yml'))).not.toEqual([])
  })

  it('is explained by a page whose workflow GitHub reads, with inputs and outputs that exist', async () => {
    const page = readFileSync(join(root, 'docs/ci.md'), 'utf8')
    const workflows = Array.from(page.matchAll(/^```yaml\n(name: [\s\S]*?)^```$/gm), ([, text = '']) => text)
    for (const text of workflows)
      expect(await checkWorkflow(join(directoryWith({ 'test.yml': text }), 'test.yml'))).toEqual([])
    const text = workflows.find(workflow => workflow.includes('OWNER/pet-mock@')) ?? ''
    const step = parse(text).jobs.test.steps.find(({ id }: { readonly id?: string }) => id === 'pets')
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)))
    for (const name of Object.keys(action.inputs))
      expect(page).toMatch(new RegExp(`^- Inputs? .*\`${name}\``, 'm'))
    for (const [, name = ''] of text.matchAll(/steps\.pets\.outputs\.(\w+)/g))
      expect(Object.keys(action.outputs)).toContain(name)
  })
})

describe('the action', () => {
  it('serves the steps of a job, and fails it if the report has findings', async () => {
    const workspace = installed.app
    const job = openJob(workspace, { scenario: 'rate-limit-exhaustion' })
    expect(await job.start()).toMatchObject({
      code: 0,
      output: expect.stringContaining('pet-mock serves http'),
    })
    const { url = '', key = '', admin } = job.outputs()
    expect(job.variables()).toEqual({ PET_MOCK_URL: url, PET_MOCK_KEY: key, PET_MOCK_ADMIN: admin })
    const statuses: number[] = []
    for (let call = 0; call < 14; call += 1) {
      const response = await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${key}` } })
      statuses.push(response.status)
      await response.body?.cancel()
    }
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 429, 429])
    const { code, output } = await job.stop()
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^::error title=pet-mock::It has findings: see the summary/m),
    ])
    expect(output).toContain('GET /v1/pets')
    expect(job.summary()).toContain('banned')
    await expect(fetch(`${url}/pets`)).rejects.toThrow()
  })

  it('installs what version names, and reads pet-mock.yaml in the working directory', async () => {
    const workspace = directoryWith({
      'app/package.json': '{}',
      'app/pet-mock.yaml': 'add-key: my-app=pro\n',
    })
    const job = openJob(workspace, { version: installed.tarball.path, 'working-directory': 'app' })
    expect((await job.start()).code).toBe(0)
    const { url } = job.outputs()
    const response = await fetch(`${url}/pets?limit=1`, { headers: { Authorization: 'Bearer my-app' } })
    expect(response.status).toBe(200)
    expect((await job.stop()).code).toBe(0)
    expect(job.summary()).toMatch(/^#/)
  })

  it('fails its own step if the server cannot start, and says why', async () => {
    const job = openJob(installed.app, { scenario: 'fre-plan' })
    const { code, output } = await job.start()
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^::error title=pet-mock::.*Did you mean free-plan\?/m),
    ])
    expect(await job.stop()).toMatchObject({ code: 0 })
  })
})
