import { createTheme } from '@mantine/core';

/** Darker than the library's own: its text on white has too little contrast. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", sans-serif',
  autoContrast: true,
  respectReducedMotion: true,
});
