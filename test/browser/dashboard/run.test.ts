import { expect } from 'vitest'
import { unpackBox } from '../../../src/judges/box/pack-box.ts'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { openExample, recordExample } from '../../support/opened-box.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { replayBox } from '../../support/replay-box.ts'

const openDashboard = describeDashboard()

test.for([1280, 360])(
  'Run shows the world before each call, at %i px',
  async (width, { open, skip, onTestFinished }) => {
    const server = await openExample(await recordExample(), 7)
    const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/run', server, width })
    const slider = page.getByRole('slider', { name: 'Call' })
    await page.getByText('Call 7 of 10').waitFor()
    const world = page.getByRole('region', { name: 'The world at this point' })
    await page.getByText('worker-3:6').waitFor()
    await world.getByText('banned for 30 s').waitFor()
    await world.getByText('outage acted once').waitFor()
    await world.getByText('100 pets').waitFor({ state: 'detached' })
    await world.getByText('pet 101 Rex').waitFor()
    await page.getByText('Ban: decided').waitFor()
    await world.getByText('banKey in worker-3 { key: demo-free, for: 30s }').waitFor()

    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Call 6 of 10').waitFor()
    await page.getByText('Rules: decided').waitFor()
    await world.getByText('outage acted 0 times').waitFor()
    await page.getByRole('button', { name: 'Previous call' }).click()
    await page.getByText('Operation: decided').waitFor()
    await page.keyboard.press('End')
    await slider.focus()
    await page.keyboard.press('End')
    await page.getByText('After call 10, the last').waitFor()
    await page.getByText('The run ends here.').waitFor()
    await expectNothingSerious(page)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBe(0)
  },
)

test('Run serves from a call on, with the client of somebody', async ({ open, skip, onTestFinished }) => {
  const options = await openExample(await recordExample(), 7)
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/run?call=7', server: options },
  )
  const key = 'demo-free+worker-3'
  expect(await callApi(server, '/v1/pets', { key })).toBe(429)
  await page.getByRole('button', { name: 'Served from here' }).waitFor()
  await page.getByRole('button', { name: 'Previous call' }).click()
  await page.getByRole('button', { name: 'Serve from here' }).click()
  await page.getByText('The worlds are now those before call 6.').waitFor()
  await page.getByRole('button', { name: 'Served from here' }).waitFor()
  expect(await callApi(server, '/v1/pets', { key })).toBe(503)
  expect(await callApi(server, '/v1/pets', { key })).toBe(200)
})

test('a server that records gives its box by a click, and no other has the button or the page', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const bytes = await recordExample()
  const copyBox = async () => [bytes]
  const { page } = await openDashboard({ open, skip, onTestFinished }, { server: { copyBox } })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save box' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('run.petbox')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  const saved = new Uint8Array(Buffer.concat(chunks))
  expect(await unpackBox([saved])).toBe(await unpackBox([bytes]))
  expect(await replayBox(saved)).toEqual([200, 200, 200, 201, 200, 503, 429, 429, 429, 429])
  expect(await page.getByRole('link', { name: 'Run' }).count()).toBe(0)
  const { page: other } = await openDashboard({ open, skip, onTestFinished })
  await other.getByRole('link', { name: 'Docs' }).waitFor()
  expect(await other.getByRole('button', { name: 'Save box' }).count()).toBe(0)
})
