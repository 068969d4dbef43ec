import type { Command } from 'commander';
import type { Io } from '../io';
import { storySchema, storyText } from '../output/device-story';
import { APP } from './arguments';
import { addCall } from './command';

export function addDeviceWhy(devices: Command, io: Io): void {
  addCall(devices, io, {
    name: 'why',
    summary: 'why one device gets pushes, or does not: whether it is reached now, and what became of its last pushes',
    examples: ['devices why APP_ID INSTALLATION_ID', 'devices why APP_ID INSTALLATION_ID --json'],
    args: [APP, ['<installation>', 'objectId or installationId of the installation']],
    request: ([app, installation]) => ['GET', ['apps', app, 'installations', installation, 'story']],
    schema: storySchema,
    toText: storyText,
  });
}
