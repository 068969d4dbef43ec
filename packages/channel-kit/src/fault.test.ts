import { ChannelFault } from './fault';

test('what a vendor says is cut, however much of it there is', () => {
  const code = '9'.repeat(1_000_000);
  const fault = new ChannelFault('unrecognised-answer', `code ${code}`, { vendorCode: code, vendorMessage: code });
  expect(fault.vendorCode).toBe('9'.repeat(64));
  expect(fault.vendorMessage).toBe('9'.repeat(500));
  expect(fault.message).toBe(`code ${'9'.repeat(495)}`);
});

test('what is short is told as it is, and what is not said is not told', () => {
  const fault = new ChannelFault('throttled', 'code 12', { vendorCode: '12', vendorMessage: 'too fast' });
  expect(fault).toMatchObject({ message: 'code 12', vendorCode: '12', vendorMessage: 'too fast' });
  expect(new ChannelFault('unreachable', 'no answer')).toMatchObject({
    vendorCode: undefined,
    vendorMessage: undefined,
  });
});
