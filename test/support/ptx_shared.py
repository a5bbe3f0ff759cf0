"""Memory that the threads of a block share, for ``ptx_run``."""

from __future__ import annotations

import numpy as np
from ptx_program import PtxError


class SharedMemory:
    """The memory that the threads of each block share, and who uses it between two barriers."""

    def __init__(self, blocks: int, threads: int, size: int):
        self.threads = threads
        self.cells = np.zeros((blocks, -(-size // 16) * 16), np.uint8)
        self.size = size
        words = -(-size // 4)
        # For each word, the thread that wrote it, one thread that read it, and whether more did.
        self.writer = np.full((blocks, words), -1)
        self.reader = np.full((blocks, words), -1)
        self.several = np.zeros((blocks, words), "?")

    def meet(self, blocks: np.ndarray) -> None:
        """Let the blocks begin anew after a barrier."""
        self.writer[blocks] = self.reader[blocks] = -1
        self.several[blocks] = False

    def check(self, threads: np.ndarray, address: np.ndarray, width: int, loads: bool) -> None:
        """Raise ``PtxError`` unless these threads may use the bytes from their addresses on."""
        if int(address.min()) < 0 or int(address.max()) + width > self.size:
            raise PtxError("a shared access leaves its memory")
        blocks = threads // self.threads
        for word in range(width // 4):
            place = (blocks, address // 4 + word)
            writer, reader = self.writer[place], self.reader[place]
            race = (writer >= 0) & (writer != threads)
            if not loads:
                race |= self.several[place] | ((reader >= 0) & (reader != threads))
            if race.any():
                raise PtxError("two threads use a word of shared memory without a barrier")
            if loads:
                self.reader[place] = threads
                shared = ((reader >= 0) & (reader != threads)) | (self.reader[place] != threads)
                self.several[blocks[shared], place[1][shared]] = True
            else:
                self.writer[place] = threads
                if np.any(self.writer[place] != threads):
                    raise PtxError("two threads write a word of shared memory at once")
