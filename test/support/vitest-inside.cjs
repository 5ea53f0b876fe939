/*
 * Runs tests in the process of dist-binary/pet-mock, so with its Node:
 *
 *     NODE_OPTIONS="--require ./test/support/vitest-inside.cjs" dist-binary/pet-mock test/doors/server
 */
const { execPath, exit, argv, env } = process

const filters = argv.splice(2, argv.length, '--version')
delete env.NODE_OPTIONS
env.PET_MOCK_TEST_COMMAND = execPath
// The command itself ends sooner.
Object.assign(process, { exit: () => undefined })

async function run() {
  const { startVitest } = await import('vitest/node')
  // The executable starts no script in another process.
  const vitest = await startVitest('test', filters, { watch: false, pool: 'threads' }, { mode: 'all' })
  await vitest.close()
  exit()
}

run()
