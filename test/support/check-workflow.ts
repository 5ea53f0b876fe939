import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { directoryWith } from './directory.ts'

/** What GitHub's own parser finds wrong with the workflow in a file. */
export async function checkWorkflow(path: string): Promise<readonly string[]> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow }: Parser =
    await load('@actions/workflow-parser')
  const file = { name: path, content: readFileSync(path, 'utf8') }
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

/** What it finds wrong with the action in a file. */
export async function checkAction(path: string): Promise<readonly string[]> {
  const { parseAction }: ActionParser = await load('@actions/workflow-parser/actions/index')
  const trace = { verbose: () => {}, info: () => {}, error: () => {} }
  const { context } = parseAction({ name: path, content: readFileSync(path, 'utf8') }, trace)
  return context.errors.getErrors().map(({ message }) => message)
}

/** The parser imports JSON as bundlers take it, and Node does not. */
async function load(input: string) {
  const bundle = await rolldown({ input, platform: 'node' })
  const file = join(directoryWith({}), 'parser.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  return await import(pathToFileURL(file).href)
}

type ActionParser = typeof import('@actions/workflow-parser/actions/index')
type Parser = typeof import('@actions/workflow-parser')
