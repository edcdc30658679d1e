// SPDX-License-Identifier: MIT
// Macros as headers define them that think of nobody else: windows.h, Xlib.h, math.h, termios.h, sys/param.h, AssertMacros.h, Qt, Arduino.
// Single capital letters are not among them, which xsimd and Hana do not survive, nor is `verify`, a name of jig's.

#undef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#undef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#undef near
#define near
#undef far
#define far
#undef small
#define small char
#undef hyper
#define hyper __int64
#undef interface
#define interface struct
#undef IN
#define IN
#undef OUT
#define OUT
#undef OPTIONAL
#define OPTIONAL
#undef ERROR
#define ERROR 0
#undef TRUE
#define TRUE 1
#undef FALSE
#define FALSE 0
#undef BOOL
#define BOOL int
#undef DELETE
#define DELETE 0x00010000L
#undef IGNORE
#define IGNORE 0
#undef INFINITE
#define INFINITE 0xFFFFFFFF
#undef NO_ERROR
#define NO_ERROR 0
#undef STRICT
#define STRICT 1
#undef ABSOLUTE
#define ABSOLUTE 1
#undef RELATIVE
#define RELATIVE 2
#undef TRANSPARENT
#define TRANSPARENT 1
#undef OPAQUE
#define OPAQUE 2
#undef DIFFERENCE
#define DIFFERENCE 11
#undef PASSTHROUGH
#define PASSTHROUGH 19
#undef pascal
#define pascal
#undef cdecl
#define cdecl
#undef None
#define None 0L
#undef Bool
#define Bool int
#undef Status
#define Status int
#undef Success
#define Success 0
#undef True
#define True 1
#undef False
#define False 0
#undef Always
#define Always 2
#undef Above
#define Above 0
#undef Below
#define Below 1
#undef Unsorted
#define Unsorted 0
#undef Complex
#define Complex 0
#undef DOMAIN
#define DOMAIN 1
#undef SING
#define SING 2
#undef OVERFLOW
#define OVERFLOW 3
#undef UNDERFLOW
#define UNDERFLOW 4
#undef PLOSS
#define PLOSS 5
#undef TLOSS
#define TLOSS 6
#undef HUGE
#define HUGE 1e300
#undef PI
#define PI 3.1415926535897932
#undef TWO_PI
#define TWO_PI 6.28
#undef EULER
#define EULER 2.718
#undef M_PI
#define M_PI 3.14159265358979323846
#undef M_E
#define M_E 2.71828
#undef HIGH
#define HIGH 1
#undef LOW
#define LOW 0
#undef INPUT
#define INPUT 0
#undef OUTPUT
#define OUTPUT 1
#undef B0
#define B0 0000000
#undef B50
#define B50 0000001
#undef B110
#define B110 0000003
#undef ECHO
#define ECHO 0000010
#undef major
#define major(dev) gnu_dev_major(dev)
#undef minor
#define minor(dev) gnu_dev_minor(dev)
#undef makedev
#define makedev(a, b) gnu_dev_makedev(a, b)
#undef unix
#define unix 1
#undef linux
#define linux 1
#undef check
#define check(x)
#undef require
#define require(x, l)
#undef CHECK
#define CHECK(x)
#undef DCHECK
#define DCHECK(x)
#undef LOG
#define LOG(x)
#undef INFO
#define INFO 0
#undef WARNING
#define WARNING 1
#undef FATAL
#define FATAL 3
#undef DEBUG
#define DEBUG 1
#undef VERSION
#define VERSION "1.0"
#undef TEST
#define TEST(a, b)
#undef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#undef MAX
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#undef Min
#define Min(a, b) (((a) < (b)) ? (a) : (b))
#undef Max
#define Max(a, b) (((a) > (b)) ? (a) : (b))
#undef ABS
#define ABS(x) ((x) < 0 ? -(x) : (x))
#undef howmany
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#undef roundup
#define roundup(x, y) ((((x) + ((y) - 1)) / (y)) * (y))
#undef powerof2
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#undef setbit
#define setbit(a, i)
#undef clrbit
#define clrbit(a, i)
#undef isset
#define isset(a, i)
#undef isclr
#define isclr(a, i)
#undef signals
#define signals public
#undef slots
#define slots
#undef emit
#define emit
#undef foreach
#define foreach(a, b) for (a : b)
#undef forever
#define forever for (;;)
#undef SIZE
#define SIZE 100
#undef MAX_SIZE
#define MAX_SIZE 100
#undef signals
#define signals public
#undef slots
#define slots
#undef emit
#define emit
#undef foreach
#define foreach(a, b) for (a : b)
#undef forever
#define forever for (;;)
