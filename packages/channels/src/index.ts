export { channelNames, channelOfVendor, channels, type ChannelName } from './registry';
