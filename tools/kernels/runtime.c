/* The part of Numba's runtime that compiled kernels need: memory for the arrays that a kernel makes, with use counts.
   The structure is Numba's; its words have 64 bits on every machine. */

typedef unsigned long long word;

struct block {
    word uses;
    void (*destructor)(void *data, word size, void *info);
    void *info;
    void *data;
    word size;
    void *allocator;
};

#ifdef _WIN32 /* linked without the start of a C library, which these functions do not need */
int DllMainCRTStartup(void *library, unsigned long reason, void *reserved)
{
    (void)library, (void)reason, (void)reserved;
    return 1;
}
#endif

void *malloc(__SIZE_TYPE__ size);
void free(void *memory);

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *NRT_Allocate(word size)
{
    return malloc((__SIZE_TYPE__)size);
}

HIDDEN void NRT_Free(void *memory)
{
    free(memory);
}

HIDDEN void *NRT_MemInfo_alloc_aligned(word size, unsigned align)
{
    char *memory = malloc((__SIZE_TYPE__)(sizeof(struct block) + size + align));
    struct block *block = (struct block *)memory;
    if (!memory)
        return 0;
    __UINTPTR_TYPE__ start = (__UINTPTR_TYPE__)(memory + sizeof(struct block));
    block->uses = 1;
    block->destructor = 0;
    block->info = 0;
    block->data = (void *)((start + align - 1) / align * align);
    block->size = size;
    block->allocator = 0;
    return block;
}

HIDDEN void NRT_MemInfo_call_dtor(void *block)
{
    free(block);
}

HIDDEN void *NRT_MemInfo_alloc(word size)
{
    return NRT_MemInfo_alloc_aligned(size, 16);
}

/* A kernel that fails returns a code, from which the caller makes an exception: there may be no Python here. */
HIDDEN void *PyExc_MemoryError, *PyExc_RuntimeError;

HIDDEN void PyErr_SetString(void *kind, const char *text)
{
    (void)kind;
    (void)text;
}
